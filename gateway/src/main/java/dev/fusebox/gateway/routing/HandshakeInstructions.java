package dev.fusebox.gateway.routing;

import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.protocol.HiddenCharacters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The instructions that a client of the gateway tools gets in the handshake: one line per server, as far as
/// known without asking a server. Pure functions of the current catalog; nothing blocks.
final class HandshakeInstructions {
    /// About 700 tokens with lines of this length, which a client reads once.
    private static final int MAX_SERVERS = 25;

    private static final int LONGEST_LINE = 110;

    private HandshakeInstructions() {}

    /// Null if clients see no gateway tools: the servers' tools then need no explanation.
    static @Nullable String of(UpstreamServers servers) {
        if (servers.exposurePolicy().own().isEmpty()) {
            return null;
        }
        Map<String, List<String>> tools = tools(servers);
        if (tools.isEmpty()) {
            return servers.names().isEmpty() ? "No server is configured yet." : "All servers are disabled.";
        }
        StringBuilder text =
                new StringBuilder("Find tools of these servers with mcp_discover, and call them with mcp_call:");
        tools.entrySet().stream()
                .limit(MAX_SERVERS)
                .forEach(server -> text.append('\n').append(line(server.getKey(), server.getValue())));
        int more = tools.size() - MAX_SERVERS;
        return more > 0 ? text.append("\n- and ").append(more).append(" more").toString() : text.toString();
    }

    /// Tool names by server, in the order of the configuration; empty while they are unknown. Replicas appear
    /// under their set's id, disabled servers not at all.
    private static Map<String, List<String>> tools(UpstreamServers servers) {
        Map<String, List<String>> tools = new LinkedHashMap<>();
        servers.names().stream()
                .filter(name -> !isDisabled(servers.unavailableServer(name)))
                .forEach(name -> tools.put(name, new ArrayList<>()));
        servers.replicaSets()
                .forEach(replicas -> replicas.servers().forEach(upstreamServer -> tools.remove(upstreamServer.id())));
        servers.catalog().all(CatalogKind.TOOLS).stream()
                .filter(Catalog.Entry::isForModels)
                .forEach(entry -> tools.computeIfAbsent(entry.server(), id -> new ArrayList<>())
                        .add(entry.catalogEntry().own()));
        return tools;
    }

    private static boolean isDisabled(@Nullable UnavailableServer server) {
        return server != null && server.status() == ServerStatus.DISABLED;
    }

    private static String line(String server, List<String> tools) {
        if (tools.isEmpty()) {
            return "- " + server + ": tools not known yet";
        }
        String count = tools.size() + (tools.size() == 1 ? " tool" : " tools");
        StringBuilder line = new StringBuilder("- " + server + ": " + count + ": ");
        for (int i = 0; i < tools.size(); i++) {
            String next = (i == 0 ? "" : ", ") + HiddenCharacters.line(tools.get(i));
            if (line.length() + next.length() > LONGEST_LINE) {
                return line.append(i == 0 ? "..." : ", ...").toString();
            }
            line.append(next);
        }
        return line.toString();
    }
}
