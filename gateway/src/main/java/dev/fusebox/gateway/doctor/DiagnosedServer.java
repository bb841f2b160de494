package dev.fusebox.gateway.doctor;

import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.SourceLines;
import dev.fusebox.gateway.session.FrontTarget;
import java.util.List;
import java.util.function.Supplier;

/// A server that is examined. Immutable.
///
/// @param server as configured
/// @param sourceLines of the file that it stands in
/// @param capturedStderr what its processes say
/// @param visit how to go there
/// @param leaving ends what was started for it alone; may block until that is gone
public record DiagnosedServer(
        ServerConfig server, SourceLines sourceLines, CapturedStderr capturedStderr, Visit visit, Runnable leaving) {
    /// How the examination gets at a server that is ready. Immutable.
    public sealed interface Visit {
        /// Not at all: only what stands on paper is looked at.
        record None() implements Visit {}

        /// Over a connection of its own.
        record Fresh(Supplier<FrontTarget> way) implements Visit {}

        /// By asking the gateway that has a connection to it, which may block for as long as it likes; if the
        /// gateway has none, over a connection of its own.
        record Asked(Supplier<Told> told, Supplier<FrontTarget> way) implements Visit {}
    }

    /// What a gateway tells.
    ///
    /// @param mayVisit whether it failed to connect and does not try at the moment, so that an examination of the
    /// server itself starts no second process
    public record Told(List<Finding> findings, boolean mayVisit) {
        public Told {
            findings = List.copyOf(findings);
        }
    }

    /// Its arguments as they are written, variables unexpanded.
    List<String> args() {
        return sourceLines.args(server.name().written());
    }

    /// Where one of its keys stands, or the server if it has no such key.
    String place(String... keys) {
        return sourceLines.of(server.name().written(), keys);
    }
}
