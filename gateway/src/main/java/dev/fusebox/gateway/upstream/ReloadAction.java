package dev.fusebox.gateway.upstream;

import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.config.LifecycleSettings;
import java.util.List;

/// What becomes of one server when the configuration is another. Immutable but for what a [ServerSpec] holds.
public sealed interface ReloadAction {
    String id();

    /// It stays as it is.
    record Stays(String id) implements ReloadAction {}

    /// Its process or its connection stays, and calls and its life keep to other rules from now on.
    record Governed(String id, PipelineRules pipeline, ServerPolicy rules, LifecycleSettings life)
            implements ReloadAction {}

    /// It is new, or another one than that which had its name: then calls under way end where they began.
    record Joins(ServerSpec spec) implements ReloadAction {
        @Override
        public String id() {
            return spec.frontTarget().settings().server();
        }
    }

    /// Its calls go to others, which are the same.
    ///
    /// @param replicas the ids of all of them
    record Shared(String id, List<String> replicas) implements ReloadAction {
        public Shared {
            replicas = List.copyOf(replicas);
        }
    }

    /// It cannot be called, or not any more.
    record Missing(UnavailableServer unavailableServer) implements ReloadAction {
        @Override
        public String id() {
            return unavailableServer.id();
        }
    }
}
