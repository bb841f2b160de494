package dev.fusebox.gateway.provision;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a registry says of one server: the parts of a `server.json` (schema of 2025-12-11) that matter here.
/// Nothing of it is believed. Immutable.
///
/// @param name as in `io.github.someone/weather`
/// @param title for people; empty if there is none
/// @param description what it is for
/// @param isRetired whether its makers advise against it
/// @param packages programs that are the server
/// @param remotes places where it runs
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

    /// A program that is the server. Immutable.
    ///
    /// @param source who publishes it, such as `npm`, and where it says that this is; empty for the usual place
    /// @param identifier what it is called there
    /// @param version empty if there is none
    /// @param sha256 of its file; null if nobody says
    /// @param start how it is started
    record Program(
            Source source,
            String identifier,
            String version,
            @Nullable String sha256,
            Start start) {
        /// Who publishes it, and at which address.
        record Source(String type, String address) {}

        /// How it is started. Immutable.
        ///
        /// @param runtime what starts it; empty for the usual
        /// @param hasOptions whether the runtime is to get options
        /// @param transport how to talk to it
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
    /// @param name of a variable, or of an option with its dashes; of an argument without a name what it is for
    /// @param isOption whether the name stands on the command line, too
    /// @param text what the registry wants it to be; null for nothing
    /// @param isRequired whether there has to be one
    record Input(String name, boolean isOption, @Nullable String text, boolean isRequired) {}

    /// A place where it runs. Immutable.
    record Remote(String type, String url, List<Input> headers) {
        Remote {
            headers = List.copyOf(headers);
        }
    }
}
