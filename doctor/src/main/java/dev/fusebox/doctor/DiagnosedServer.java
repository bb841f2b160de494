package dev.fusebox.doctor;

import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.SourceLines;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.oauth.LoginExamination;
import dev.fusebox.oauth.ServerLogin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// A server to be diagnosed. Immutable.
///
/// @param server its configuration
/// @param sourceLines the lines of its configuration file
/// @param capturedStderr the output of its processes
/// @param access how to reach it
/// @param credentials what is sent to it to prove who calls
/// @param leaving ends what was started for the diagnosis; may block until it has ended
public record DiagnosedServer(
        ServerConfig server,
        SourceLines sourceLines,
        CapturedStderr capturedStderr,
        Access access,
        Credentials credentials,
        Runnable leaving) {
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

    /// What is sent to a server to prove who calls. Immutable.
    public sealed interface Credentials {
        /// Something that is not checked apart from the connection.
        ///
        /// @param text what it is; empty if there is nothing to say
        record Given(String text) implements Credentials {}

        /// The access token of a login.
        ///
        /// @param used the login as the separate connection has used it; empty before that
        record OfLogin(LoginExamination examination, Supplier<Optional<ServerLogin>> used) implements Credentials {}
    }

    /// The report of a running gateway.
    ///
    /// @param isHeld whether an operator has closed the server to all calls
    /// @param missingScopes scopes that tools need and the login lacks, by tool
    /// @param mayVisit whether the gateway failed to connect and is not trying at the moment, so that a separate
    /// connection starts no second process
    public record GatewayReport(
            List<Finding> findings, boolean mayVisit, boolean isHeld, Map<String, Set<String>> missingScopes) {
        public GatewayReport {
            findings = List.copyOf(findings);
            missingScopes = Map.copyOf(missingScopes);
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
