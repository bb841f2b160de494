package dev.fusebox.gateway.provision;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A registry's description of one server: the relevant parts of a `server.json` (schema of 2025-12-11).
/// Untrusted. Immutable.
///
/// @param name for example `io.github.someone/weather`
/// @param title for people; empty if there is none
/// @param description the purpose of the server
/// @param isRetired whether it is deprecated
/// @param packages programs that implement the server
/// @param remotes addresses where it runs
record RegistryEntry(
        String name,
        String title,
        String description,
        boolean isRetired,
        List<Program> packages,
        List<Remote> remotes) {
    RegistryEntry {
        packages = List.copyOf(packages);
        remotes = List.copyOf(remotes);
    }

    /// A package that implements the server. Immutable.
    ///
    /// @param source the type of package registry, such as `npm`, and its address; empty for the default address
    /// @param identifier its name in that registry
    /// @param version empty if there is none
    /// @param sha256 digest of its file; null if there is none
    /// @param start how to start it
    record Program(
            Source source,
            String identifier,
            String version,
            @Nullable String sha256,
            Start start) {
        /// The type of a package registry, and its address.
        record Source(String type, String address) {}

        /// How to start a package. Immutable.
        ///
        /// @param runtime the package runner; empty for the default
        /// @param hasOptions whether it requires options of the package runner
        /// @param transport its transport
        /// @param arguments of the program itself
        /// @param variables of its environment
        record Start(
                String runtime, boolean hasOptions, String transport, List<Input> arguments, List<Input> variables) {
            Start {
                arguments = List.copyOf(arguments);
                variables = List.copyOf(variables);
            }
        }
    }

    /// An argument, a variable or a header. Immutable.
    ///
    /// @param name of a variable, or of an option with its dashes; for a positional argument its purpose
    /// @param isOption whether the name is part of the command line
    /// @param text the value from the registry; null for none
    /// @param isRequired whether a value is required
    record Input(String name, boolean isOption, @Nullable String text, boolean isRequired) {}

    /// An address where the server runs. Immutable.
    record Remote(String type, String url, List<Input> headers) {
        Remote {
            headers = List.copyOf(headers);
        }
    }
}
