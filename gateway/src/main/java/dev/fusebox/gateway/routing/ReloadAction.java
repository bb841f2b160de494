package dev.fusebox.gateway.routing;

import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.gateway.upstream.LaunchIdentity;
import dev.fusebox.gateway.upstream.PlannedServer;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.gateway.upstream.ServerSpec;
import dev.fusebox.gateway.upstream.UnavailableServer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a configuration reload does to one server. Immutable except for what a [ServerSpec] holds.
public sealed interface ReloadAction {
    String id();

    /// The server is unchanged.
    ///
    /// @param launch what makes it the same server in several views; null for a server that no views share
    record Unchanged(String id, @Nullable LaunchIdentity launch) implements ReloadAction {
        /// A server that no views share.
        public Unchanged(String id) {
            this(id, null);
        }
    }

    /// The process or connection stays; calls and lifecycle follow new rules.
    ///
    /// @param launch what makes it the same server in several views; null for a server that no views share
    record RulesChanged(
            String id,
            PipelineRules pipeline,
            ServerPolicy rules,
            LifecycleSettings life,
            @Nullable LaunchIdentity launch)
            implements ReloadAction {
        /// A server that no views share.
        public RulesChanged(String id, PipelineRules pipeline, ServerPolicy rules, LifecycleSettings life) {
            this(id, pipeline, rules, life, null);
        }
    }

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
