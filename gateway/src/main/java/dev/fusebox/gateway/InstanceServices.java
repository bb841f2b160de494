package dev.fusebox.gateway;

import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.front.ProfileServices;
import dev.fusebox.gateway.routing.MultipleServers;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.gateway.upstream.UpstreamServer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What clients see that use one of several servers of the same name, by its label such as `NAME@2`: for commands
/// of the owner that call that one. Thread-safe; nothing blocks.
///
/// @param everywhere the servers of all workspaces, those of the gateway itself first
record InstanceServices(Supplier<List<UpstreamServers>> everywhere) implements ProfileServices {
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
                .map(MultipleServers::new)
                .orElse(null);
    }

    @Override
    public void onRemoved(Consumer<String> listener) {
        // A command makes one request.
    }

    @Override
    public void close() {
        // The gateway closes its workspaces itself.
    }
}
