package dev.fusebox.cli;

import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.ServerConfig;
import dev.fusebox.gateway.config.ServerEndpoint;
import dev.fusebox.gateway.config.ServerState.Ready;
import dev.fusebox.gateway.crowd.Sight;
import dev.fusebox.gateway.observe.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What metrics and traces say of servers. Thread-safe; nothing blocks.
///
/// @param sights all servers at this moment
record ServerGauges(Supplier<List<Sight>> sights) {
    List<Metrics.ServerStatus> states() {
        List<Metrics.ServerStatus> states = new ArrayList<>();
        for (Sight sight : sights.get()) {
            states.add(new Metrics.ServerStatus(sight.id(), sight.words().status()));
        }
        return states;
    }

    List<Metrics.Queue> queues() {
        List<Metrics.Queue> queues = new ArrayList<>();
        for (Sight sight : sights.get()) {
            CallPipeline pipeline = sight.pipeline();
            if (pipeline != null) {
                queues.add(new Metrics.Queue(sight.id(), pipeline.inside(), pipeline.waiting()));
            }
        }
        return queues;
    }

    /// How a server is reached, in the words of OpenTelemetry; null if it cannot be called.
    static @Nullable String transport(Configuration configuration, String id) {
        for (ServerConfig server : configuration.servers()) {
            if (server.id().equals(id) && server.state() instanceof Ready(ServerEndpoint endpoint)) {
                return endpoint instanceof ServerEndpoint.Stdio ? "pipe" : "tcp";
            }
        }
        return null;
    }
}
