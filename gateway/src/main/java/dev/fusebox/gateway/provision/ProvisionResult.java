package dev.fusebox.gateway.provision;

import dev.fusebox.gateway.tools.AvailableTools;
import dev.fusebox.gateway.tools.ServerAccess;
import dev.fusebox.gateway.tools.ServerSummary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of adding a server. Immutable.
///
/// @param seen its state; null if it was not added
/// @param missing variables that are not set
/// @param why it was not added; empty if it was
/// @param tools its tools
record ProvisionResult(
        @Nullable ServerSummary seen, List<String> missing, String why, List<AvailableTools.Tool> tools) {
    ProvisionResult {
        missing = List.copyOf(missing);
        tools = List.copyOf(tools);
    }

    static ProvisionResult of(ServerInstaller.Added added, ServerAccess serverAccess) throws InterruptedException {
        return switch (added) {
            case ServerInstaller.Added.Rejected(String why) -> new ProvisionResult(null, List.of(), why, List.of());
            case ServerInstaller.Added.Configured(String server, List<String> missing) -> {
                List<AvailableTools.Tool> tools = serverAccess.availableTools(server).tools().stream()
                        .filter(tool -> tool.server().equals(server))
                        .toList();
                ServerSummary seen = serverAccess.serverSummaries().stream()
                        .filter(each -> each.name().equals(server))
                        .findFirst()
                        .orElse(null);
                yield new ProvisionResult(seen, missing, seen == null ? server + " was removed meanwhile" : "", tools);
            }
        };
    }
}
