package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The catalog as single clients see it: the one of all, unless a server offers a client something else on a
/// process of its own. Thread-safe; nothing blocks. Two who look at once may both put a view together.
final class CatalogViews {
    private static final ClientSession TOGETHER = () -> true;

    private final UpstreamServers servers;
    private final Map<ClientSession, View> views = new ConcurrentHashMap<>();

    CatalogViews(UpstreamServers servers) {
        this.servers = servers;
    }

    /// The catalog of one client. Immutable but for what is put together for searches.
    ///
    /// @param of the catalog of all that it was made from
    /// @param allContents what each server offers the client
    private record View(
            Catalog of,
            Map<UpstreamServer, CatalogContents> allContents,
            Catalog catalog,
            VisibleCatalog visibleCatalog,
            SearchableTools searchableTools) {
        @SuppressWarnings("ReferenceEquality") // what is equal only would have to be compared tool by tool
        boolean isOf(Catalog base, Map<UpstreamServer, CatalogContents> now) {
            return of == base
                    && allContents.size() == now.size()
                    && now.entrySet().stream().allMatch(entry -> allContents.get(entry.getKey()) == entry.getValue());
        }
    }

    Catalog catalog(ClientMetadata client) {
        View view = find(client);
        return view == null ? servers.catalog() : view.catalog();
    }

    VisibleCatalog visibleCatalog(ClientMetadata client) {
        View view = find(client);
        return view == null ? servers.visibleCatalog() : view.visibleCatalog();
    }

    ToolList tools(ClientMetadata client) {
        View view = find(client);
        return view == null ? servers.tools() : view.searchableTools().of(view.catalog(), servers.servers());
    }

    void left(ClientSession clientSession) {
        views.remove(clientSession);
    }

    /// Null if the client sees what all see.
    @SuppressWarnings("ReferenceEquality") // equal lists are kept once
    private @Nullable View find(ClientMetadata client) {
        List<UpstreamServer> all = servers.servers();
        // Compared with what the catalog of all was made from: what a member offers by now may not be in it yet.
        Catalog base = servers.catalog();
        if (all.stream().allMatch(server -> server.lists().contents(client) == base.contents(server))) {
            return null;
        }
        Map<UpstreamServer, CatalogContents> allContents =
                Catalog.allContents(all, server -> server.lists().contents(client));
        ClientSession clientSession = client.clientSession() == null ? TOGETHER : client.clientSession();
        View known = views.get(clientSession);
        return known != null && known.isOf(base, allContents) ? known : made(clientSession, base, allContents);
    }

    private View made(ClientSession clientSession, Catalog base, Map<UpstreamServer, CatalogContents> allContents) {
        Catalog catalog = new Catalog(allContents, List.copyOf(servers.replicaSets()), base);
        View view = new View(
                base,
                allContents,
                catalog,
                new VisibleCatalog(catalog, servers.exposurePolicy()),
                new SearchableTools());
        views.put(clientSession, view);
        // A client that leaves says so first, and this looks for that afterwards: one of the two finds the other.
        if (!clientSession.isHere()) {
            left(clientSession);
        }
        return view;
    }
}
