package dev.fusebox.gateway.provision;

import dev.fusebox.gateway.meta.Offered;
import dev.fusebox.gateway.meta.ServerSeen;
import dev.fusebox.gateway.meta.Servers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What became of a server that was to be added. Immutable.
///
/// @param seen how it is; null if it was not added
/// @param missing variables that it waits for
/// @param why it was not added; empty if it was
/// @param tools that it has
record Provisioned(@Nullable ServerSeen seen, List<String> missing, String why, List<Offered.Tool> tools) {
    Provisioned {
        missing = List.copyOf(missing);
        tools = List.copyOf(tools);
    }

    static Provisioned of(Adding.Added added, Servers servers) throws InterruptedException {
        return switch (added) {
            case Adding.Added.Not(String why) -> new Provisioned(null, List.of(), why, List.of());
            case Adding.Added.There(String server, List<String> missing) -> {
                List<Offered.Tool> tools = servers.offered(server).tools().stream()
                        .filter(tool -> tool.server().equals(server))
                        .toList();
                ServerSeen seen = servers.seen().stream()
                        .filter(each -> each.name().equals(server))
                        .findFirst()
                        .orElse(null);
                yield new Provisioned(seen, missing, seen == null ? server + " has been removed meanwhile" : "", tools);
            }
        };
    }
}
