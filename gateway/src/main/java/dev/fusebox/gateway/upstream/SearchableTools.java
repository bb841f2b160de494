package dev.fusebox.gateway.upstream;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools of all servers, to be looked through: put together anew when the catalog is another, or a server has
/// said itself what only memory had said. Thread-safe; two who ask at once may both put them together.
final class SearchableTools {
    private volatile @Nullable Made made;

    /// @param live how many servers had spoken for themselves
    private record Made(Catalog catalog, long live, ToolList list) {}

    ToolList of(Catalog catalog, List<UpstreamServer> servers) {
        long live = servers.stream().filter(UpstreamServer::isLive).count();
        Made last = made;
        if (last == null || last.catalog() != catalog || last.live() != live) {
            last = new Made(catalog, live, ToolList.of(catalog));
            made = last;
        }
        return last.list();
    }
}
