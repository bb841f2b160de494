package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tools of a server as they are seen from outside, put together once for each list and set of rules: every
/// search looks how the servers are, and some have thousands. Thread-safe; two who look at once may both put them
/// together.
final class ToolSnapshots {
    private volatile @Nullable Shown latest;

    /// @param tools of this offer, by these rules
    private record Shown(CatalogContents contents, ServerPolicy rules, List<ServerSnapshot.Tool> tools) {}

    /// @param rules by which the member names what it shows
    @SuppressWarnings("ReferenceEquality") // what is equal only would have to be compared tool by tool
    List<ServerSnapshot.Tool> of(UpstreamServer upstreamServer, ServerPolicy rules) {
        CatalogContents contents = upstreamServer.contents();
        Shown known = latest;
        if (known == null || known.contents() != contents || known.rules() != rules) {
            known = new Shown(contents, rules, tools(upstreamServer.id(), contents, rules));
            latest = known;
        }
        return known.tools();
    }

    private static List<ServerSnapshot.Tool> tools(String server, CatalogContents contents, ServerPolicy rules) {
        List<ServerSnapshot.Tool> tools = new ArrayList<>();
        for (CatalogEntry tool : contents.of(CatalogKind.TOOLS)) {
            String part = rules.shown(tool.own());
            if (part != null) {
                tools.add(seen(tool, ExposedName.of(server, part)));
            }
        }
        return List.copyOf(tools);
    }

    static ServerSnapshot.Tool seen(CatalogEntry tool, String shown) {
        return new ServerSnapshot.Tool(tool.own(), shown, tool.definition());
    }

    /// What clients call them, without the name of their server.
    static List<String> names(UpstreamServer upstreamServer, ClientMetadata client) {
        return upstreamServer.lists().contents(client).of(CatalogKind.TOOLS).stream()
                .flatMap(tool -> Optional.ofNullable(upstreamServer.shownPart(CatalogKind.TOOLS, tool.own())).stream())
                .toList();
    }
}
