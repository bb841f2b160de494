package dev.fusebox.gateway.routing;

import dev.fusebox.gateway.tools.ToolView;
import dev.fusebox.gateway.upstream.UpstreamServer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools of all servers as a searchable list, rebuilt when the catalog has changed or a server has
/// confirmed its cached list. Thread-safe; concurrent callers may both build it.
final class SearchableTools {
    private final ToolView view = new ToolView();
    private volatile @Nullable BuiltList builtList;

    /// @param live number of servers whose lists were read in this run
    private record BuiltList(Catalog catalog, long live, ToolList list) {}

    ToolList of(Catalog catalog, List<UpstreamServer> servers) {
        long live = servers.stream().filter(UpstreamServer::isLive).count();
        BuiltList last = builtList;
        if (last == null || last.catalog() != catalog || last.live() != live) {
            last = new BuiltList(catalog, live, ToolList.of(catalog, view));
            builtList = last;
        }
        return last.list();
    }
}
