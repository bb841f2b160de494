package dev.fusebox.gateway.routing;

import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.gateway.upstream.PlannedServer;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.gateway.upstream.ServerSpec;
import dev.fusebox.gateway.upstream.UnavailableServer;
import java.util.List;

/// What a configuration reload does to one server. Immutable except for what a [ServerSpec] holds.
public sealed interface ReloadAction {
    String id();

    /// The server is unchanged.
    record Unchanged(String id) implements ReloadAction {}

    /// The process or connection stays; calls and lifecycle follow new rules.
    record RulesChanged(String id, PipelineRules pipeline, ServerPolicy rules, LifecycleSettings life)
            implements ReloadAction {}

    /// The server is new, or replaces the one with this id; calls in flight finish on the old one.
    record Added(PlannedServer server) implements ReloadAction {
        /// A server that no views share.
        public Added(ServerSpec spec) {
            this(PlannedServer.of(spec));
        }

        @Override
        public String id() {
            return server.id();
        }
    }

    /// The id becomes a replica set; its calls go to the replicas.
    ///
    /// @param replicas the ids of all of them
    record Shared(String id, List<String> replicas) implements ReloadAction {
        public Shared {
            replicas = List.copyOf(replicas);
        }
    }

    /// The server cannot be called, or not any more.
    record Missing(UnavailableServer unavailableServer) implements ReloadAction {
        @Override
        public String id() {
            return unavailableServer.id();
        }
    }
}
