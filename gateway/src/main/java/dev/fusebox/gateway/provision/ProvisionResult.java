package dev.fusebox.gateway.provision;

import dev.fusebox.gateway.tools.AvailableTools;
import dev.fusebox.gateway.tools.ServerAccess;
import dev.fusebox.gateway.tools.ServerSummary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What became of a server that was to be added. Immutable.
///
/// @param seen how it is; null if it was not added
/// @param missing variables that it waits for
/// @param why it was not added; empty if it was
/// @param tools that it has
record ProvisionResult(
        @Nullable ServerSummary seen, List<String> missing, String why, List<AvailableTools.Tool> tools) {
    ProvisionResult {
        missing = List.copyOf(missing);
        tools = List.copyOf(tools);
    }

    static ProvisionResult of(ServerInstaller.Added added, ServerAccess serverAccess) throws InterruptedException {
        return switch (added) {
            case ServerInstaller.Added.Not(String why) -> new ProvisionResult(null, List.of(), why, List.of());
            case ServerInstaller.Added.There(String server, List<String> missing) -> {
                List<AvailableTools.Tool> tools = serverAccess.availableTools(server).tools().stream()
                        .filter(tool -> tool.server().equals(server))
                        .toList();
                ServerSummary seen = serverAccess.seen().stream()
                        .filter(each -> each.name().equals(server))
                        .findFirst()
                        .orElse(null);
                yield new ProvisionResult(
                        seen, missing, seen == null ? server + " has been removed meanwhile" : "", tools);
            }
        };
    }
}
