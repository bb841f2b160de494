package dev.fusebox.gateway.routing;

import dev.fusebox.gateway.catalog.CachedContents;
import dev.fusebox.gateway.catalog.CatalogContentsJson;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.catalog.ExposedName;
import dev.fusebox.gateway.tools.AvailableTools;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.gateway.tools.ToolView;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.gateway.upstream.UpstreamServer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A searchable list of the tools of all servers, in the order of the configuration. Immutable.
public final class ToolList {
    private final List<Row> rows = new ArrayList<>();
    private final List<AvailableTools.Tool> tools = new ArrayList<>();
    private final IdentityHashMap<AvailableTools.Tool, Row> byTool = new IdentityHashMap<>();

    private final @Nullable ToolView view;

    /// Identity of the tool set: equal as long as the tools are the same.
    private final Object edition;

    /// One tool of a server. Immutable.
    public record Row(String server, ServerSnapshot.Tool tool) {}

    /// The result of a search, best match first. Immutable.
    ///
    /// @param isHybrid whether the sentence model took part
    /// @param hasMore whether more tools match
    public record Found(List<Row> rows, boolean isHybrid, boolean hasMore) {
        public Found {
            rows = List.copyOf(rows);
        }
    }

    /// A server to look up in the cache. Immutable.
    public record Known(String id, String identity, ServerPolicy rules) {}

    private ToolList(@Nullable ToolView view, Object edition) {
        this.view = view;
        this.edition = edition;
    }

    /// @param view whose catalog it is
    static ToolList of(Catalog catalog, ToolView view) {
        ToolList list = new ToolList(view, catalog);
        for (Catalog.Entry entry : catalog.all(CatalogKind.TOOLS)) {
            UpstreamServer upstreamServer = entry.upstreamServer();
            String part = upstreamServer
                    .names()
                    .shownPart(CatalogKind.TOOLS, entry.catalogEntry().own());
            if (part != null) {
                AvailableTools.Tool tool = new AvailableTools.Tool(
                        entry.server(), part, entry.catalogEntry().definition(), upstreamServer.isLive());
                list.add(tool, ServerSnapshot.Tool.of(entry.catalogEntry(), entry.shown()), entry.isForModels());
            }
        }
        return list;
    }

    /// Reads the tools of these servers from the cache. Blocks on the disk.
    public static ToolList remembered(CatalogStore catalogStore, List<Known> servers) {
        ToolList list = new ToolList(null, servers);
        for (Known server : servers) {
            CachedContents entry = loaded(catalogStore, server.identity());
            for (CatalogEntry catalogEntry :
                    entry == null ? List.<CatalogEntry>of() : entry.contents().of(CatalogKind.TOOLS)) {
                String part = server.rules().shown(catalogEntry.own());
                if (part != null) {
                    AvailableTools.Tool tool =
                            new AvailableTools.Tool(server.id(), part, catalogEntry.definition(), false);
                    ServerSnapshot.Tool seen = ServerSnapshot.Tool.of(catalogEntry, ExposedName.of(server.id(), part));
                    list.add(tool, seen, catalogEntry.ui().isForModels());
                }
            }
        }
        return list;
    }

    /// Whether the cache has an intact entry for a server. Blocks on the disk.
    public static boolean isRemembered(CatalogStore catalogStore, String identity) {
        return loaded(catalogStore, identity) != null;
    }

    private static @Nullable CachedContents loaded(CatalogStore catalogStore, String identity) {
        byte[] text = identity.isEmpty() ? null : catalogStore.load(identity);
        return text == null ? null : CatalogContentsJson.read(text);
    }

    /// @param isForModels whether searches find it
    private void add(AvailableTools.Tool tool, ServerSnapshot.Tool seen, boolean isForModels) {
        Row row = new Row(tool.server(), seen);
        rows.add(row);
        if (!isForModels) {
            return;
        }
        tools.add(tool);
        byTool.put(tool, row);
    }

    public List<Row> rows() {
        return List.copyOf(rows);
    }

    AvailableTools availableTools() {
        return new AvailableTools(view, edition, tools);
    }

    /// The best matching tools. Blocks as the search does.
    public Found find(ToolSearch search, String query, int most) throws InterruptedException {
        // One more than shown, to find out whether there are more.
        ToolSearch.Found found = search.find(availableTools(), new ToolSearch.Query(query, tool -> true, most + 1));
        List<ToolSearch.Match> all = found.withEquivalents();
        List<Row> best = all.stream()
                .limit(most)
                .map(match -> Objects.requireNonNull(byTool.get(match.tool())))
                .toList();
        return new Found(best, found.isHybrid(), all.size() > most);
    }
}
