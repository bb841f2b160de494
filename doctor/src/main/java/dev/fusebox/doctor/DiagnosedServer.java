package dev.fusebox.doctor;

import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.SourceLines;
import dev.fusebox.gateway.session.FrontTarget;
import java.util.List;
import java.util.function.Supplier;

/// A server to be diagnosed. Immutable.
///
/// @param server its configuration
/// @param sourceLines the lines of its configuration file
/// @param capturedStderr the output of its processes
/// @param access how to reach it
/// @param leaving ends what was started for the diagnosis; may block until it has ended
public record DiagnosedServer(
        ServerConfig server, SourceLines sourceLines, CapturedStderr capturedStderr, Access access, Runnable leaving) {
    /// How the diagnosis reaches a server. Immutable.
    public sealed interface Access {
        /// Not at all: only static checks are made.
        record None() implements Access {}

        /// Over a separate connection.
        record Fresh(Supplier<FrontTarget> way) implements Access {}

        /// Through the running gateway, which may block for any time; over a separate connection if the gateway
        /// has none.
        record ThroughGateway(Supplier<GatewayReport> told, Supplier<FrontTarget> way) implements Access {}
    }

    /// The report of a running gateway.
    ///
    /// @param mayVisit whether the gateway failed to connect and is not trying at the moment, so that a separate
    /// connection starts no second process
    public record GatewayReport(List<Finding> findings, boolean mayVisit) {
        public GatewayReport {
            findings = List.copyOf(findings);
        }
    }

    /// Its arguments as written, variables unexpanded.
    List<String> args() {
        return sourceLines.args(server.name().written());
    }

    /// The location of one of its keys, or of the server if it has no such key.
    String place(String... keys) {
        return sourceLines.of(server.name().written(), keys);
    }
}
