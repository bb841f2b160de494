package dev.fusebox.gateway;

import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.gateway.observe.Metrics;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The gauges of servers for metrics and traces. Thread-safe; does not block.
///
/// @param snapshots the current state of all servers
record ServerGauges(Supplier<List<ServerSnapshot>> snapshots) {
    List<Metrics.ServerState> states() {
        List<Metrics.ServerState> states = new ArrayList<>();
        for (ServerSnapshot snapshot : snapshots.get()) {
            states.add(new Metrics.ServerState(
                    snapshot.id(), snapshot.statusMessage().status()));
        }
        return states;
    }

    List<Metrics.Queue> queues() {
        List<Metrics.Queue> queues = new ArrayList<>();
        for (ServerSnapshot snapshot : snapshots.get()) {
            CallPipeline pipeline = snapshot.pipeline();
            if (pipeline != null) {
                queues.add(new Metrics.Queue(snapshot.id(), pipeline.inFlight(), pipeline.waiting()));
            }
        }
        return queues;
    }

    /// The `network.transport` of a server as OpenTelemetry names it; null if it cannot be called.
    static @Nullable String transport(Configuration configuration, String id) {
        for (ServerConfig server : configuration.servers()) {
            if (server.id().equals(id) && server.state() instanceof Ready(ServerEndpoint endpoint)) {
                return switch (endpoint) {
                    case ServerEndpoint.Stdio _ -> "pipe";
                    case ServerEndpoint.Unix _ -> "unix";
                    case ServerEndpoint.Http _,
                            ServerEndpoint.Sse _,
                            ServerEndpoint.WebSocket _,
                            ServerEndpoint.Tcp _ -> "tcp";
                };
            }
        }
        return null;
    }
}
