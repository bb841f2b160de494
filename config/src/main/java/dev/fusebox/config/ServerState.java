package dev.fusebox.config;

import java.util.List;

/// The state of a server according to its configuration. Immutable.
public sealed interface ServerState {
    /// A usable server.
    ///
    /// @param endpoint its endpoint
    record Ready(ServerEndpoint endpoint) implements ServerState {}

    /// A replica set of equivalent servers.
    ///
    /// @param replicas the ids of all of them, at least one
    record Replicated(List<String> replicas) implements ServerState {
        public Replicated {
            replicas = List.copyOf(replicas);
        }
    }

    /// Disabled by the operator.
    ///
    /// @param otherwise its state if it were enabled
    record Disabled(ServerState otherwise) implements ServerState {}

    /// It needs variables that are not set.
    ///
    /// @param missing the names of all of them
    record AwaitingConfig(List<String> missing) implements ServerState {
        public AwaitingConfig {
            missing = List.copyOf(missing);
        }
    }

    /// Its section in the file has errors.
    ///
    /// @param problems all of them, at least one
    record Faulty(List<ConfigProblem> problems) implements ServerState {
        public Faulty {
            problems = List.copyOf(problems);
        }
    }
}
