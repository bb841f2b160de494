package dev.fusebox.config;

import java.util.List;

/// What the configuration makes of a server. Immutable.
public sealed interface ServerState {
    /// It can be used.
    ///
    /// @param endpoint how it is reached
    record Ready(ServerEndpoint endpoint) implements ServerState {}

    /// It is several others, which are the same.
    ///
    /// @param replicas the ids of all of them, at least one
    record Replicated(List<String> replicas) implements ServerState {
        public Replicated {
            replicas = List.copyOf(replicas);
        }
    }

    /// The operator does not want it.
    ///
    /// @param otherwise what it would be
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
