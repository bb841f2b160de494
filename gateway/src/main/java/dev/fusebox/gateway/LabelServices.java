package dev.fusebox.gateway;

import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.front.ProfileServices;
import dev.fusebox.gateway.routing.MultipleServers;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.gateway.session.ClientHistory;
import dev.fusebox.gateway.upstream.UpstreamServer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The services of the clients of each server, by the label of the server such as `NAME@2`, so that commands of the
/// owner can call one of several servers of the same name. Thread-safe; nothing blocks.
///
/// @param everywhere the servers of all workspaces, those of the gateway itself first
/// @param history of all services together, which makes those of the same servers equal: they keep their endpoint
record LabelServices(Supplier<List<UpstreamServers>> everywhere, ClientHistory history) implements ProfileServices {
    LabelServices(Supplier<List<UpstreamServers>> everywhere) {
        this(everywhere, ClientHistory.none());
    }

    @Override
    public List<String> names() {
        return everywhere.get().stream()
                .flatMap(servers -> servers.servers().stream())
                .map(UpstreamServer::label)
                .distinct()
                .toList();
    }

    @Override
    public @Nullable GatewayService find(String name) {
        return everywhere.get().stream()
                .filter(servers ->
                        servers.servers().stream().anyMatch(each -> each.label().equals(name)))
                .findFirst()
                .map(servers -> new MultipleServers(servers, history))
                .orElse(null);
    }

    @Override
    public void onRemoved(Consumer<String> listener) {
        // Commands have no sessions that would have to end.
    }

    @Override
    public void close() {
        // The gateway closes its workspaces itself.
    }
}
