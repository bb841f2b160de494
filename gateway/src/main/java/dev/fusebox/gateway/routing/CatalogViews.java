package dev.fusebox.gateway.routing;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.upstream.UpstreamServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The catalog as single clients see it: the shared one, unless a server process of the client's own lists
/// something else. Thread-safe; nothing blocks. Concurrent readers may both compute a view.
final class CatalogViews {

    private final UpstreamServers servers;
    private final Map<ClientSession, View> views = new ConcurrentHashMap<>();

    CatalogViews(UpstreamServers servers) {
        this.servers = servers;
    }

    /// The catalog of one client. Immutable except for its lazily built search index.
    ///
    /// @param of the shared catalog that it was derived from
    /// @param allContents contents of each server for the client
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

    /// Whether the client sees what all others see.
    boolean isShared(ClientMetadata client) {
        return find(client) == null;
    }

    void left(ClientSession clientSession) {
        views.remove(clientSession);
    }

    /// Null if the client sees the shared catalog.
    @SuppressWarnings("ReferenceEquality") // equal lists are kept once
    private @Nullable View find(ClientMetadata client) {
        List<UpstreamServer> all = servers.servers();
        // Compared with the contents that the shared catalog was built from: newer contents of a server may not
        // be in it yet.
        Catalog base = servers.catalog();
        if (all.stream().allMatch(server -> server.lists().contents(client) == base.contents(server))) {
            return null;
        }
        Catalog.Listed listed =
                Catalog.Listed.of(all, servers.names(), server -> server.lists().contents(client));
        ClientSession clientSession = client.sessionOrShared();
        View known = views.get(clientSession);
        return known != null && known.isOf(base, listed.contents()) ? known : made(clientSession, known, base, listed);
    }

    /// @param before its view until now, whose search index is changed; null if it had none
    private View made(ClientSession clientSession, @Nullable View before, Catalog base, Catalog.Listed listed) {
        Catalog catalog = new Catalog(listed, List.copyOf(servers.replicaSets()), base, servers.exposurePolicy());
        View view = new View(
                base,
                listed.contents(),
                catalog,
                new VisibleCatalog(catalog, servers.exposurePolicy()),
                before == null ? new SearchableTools() : before.searchableTools());
        views.put(clientSession, view);
        servers.noteAddresses(catalog);
        // A session that ends is marked first and looks for its view afterwards: one of the two sees the other.
        if (!clientSession.isHere()) {
            left(clientSession);
        }
        return view;
    }
}
