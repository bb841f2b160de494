package dev.fusebox.gateway;

import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.routing.MultipleServers;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import java.util.List;
import java.util.function.Supplier;

/// The service with its status snapshots and its close action. Immutable.
record RunningService(GatewayService service, Supplier<List<ServerSnapshot>> snapshots, Runnable whenClosed) {
    static RunningService of(UpstreamServers upstreamServers) {
        return new RunningService(new MultipleServers(upstreamServers), upstreamServers::snapshots, () -> {});
    }
}
