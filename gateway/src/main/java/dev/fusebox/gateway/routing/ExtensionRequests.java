package dev.fusebox.gateway.routing;

import dev.fusebox.client.Call;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.gateway.catalog.AnnouncedExtensions;
import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.extension.ExtensionPolicy;
import dev.fusebox.gateway.upstream.UpstreamServer;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What protocol extensions mean for the requests of a client: which ones are announced to it, and which servers can
/// carry out their requests. Thread-safe; only [#awaitSkills] blocks.
final class ExtensionRequests {
    private final UpstreamServers servers;

    ExtensionRequests(UpstreamServers servers) {
        this.servers = servers;
    }

    private Catalog catalog(ClientMetadata client) {
        return servers.views().catalog(client);
    }

    /// The extensions of the servers, as far as their lists are known. A client is told before its own server
    /// processes have listed anything.
    AnnouncedExtensions announced(ClientMetadata client) {
        return servers.extensions().of(servers.catalog().contents(), client.isLegacy());
    }

    /// Waits for the lists of all servers, and before the first page for recent skills. Blocks for a moment, longer at
    /// first contact.
    void awaitSkills(Call call, ClientMetadata client) throws InterruptedException {
        FirstListWait waiter = FirstListWait.of(call);
        servers.catalogWarmup().awaitTools(null, client, waiter);
        if (call.request().frame().path("params", "cursor") == null) {
            servers.catalogWarmup()
                    .awaitRecent(catalog(client).serversWith(AnnouncedExtensions.SKILLS), client, waiter);
        }
    }

    /// Whether any server has skills.
    boolean hasSkills(ClientMetadata client) {
        return Stream.of(catalog(client), servers.catalog())
                .anyMatch(catalog ->
                        !catalog.serversWith(AnnouncedExtensions.SKILLS).isEmpty());
    }

    /// The server for a request of an extension that passes unchanged; null if the method belongs to none, or several
    /// servers announce it: the request does not say which of them it is for.
    @Nullable
    UpstreamServer server(String method, ClientMetadata client) {
        String extension = servers.extensions().extensionOf(method);
        List<UpstreamServer> announcing =
                extension == null ? List.of() : catalog(client).serversWith(extension);
        return announcing.size() == 1 ? announcing.getFirst() : null;
    }

    /// Why a server does not get a request; null if it does.
    @Nullable
    String refusal(String method, Route route, ClientMetadata client) {
        CatalogContents contents = catalog(client).contents(route.upstreamServer());
        String server = route.upstreamServer().id();
        return switch (method) {
            case "skills/get" ->
                contents.extensions().has(AnnouncedExtensions.SKILLS) ? null : server + " has no skills";
            case "resources/directory/read" ->
                ExtensionPolicy.readsDirectories(contents)
                        ? null
                        : server + " does not read directories (setting directoryRead of the extension "
                                + AnnouncedExtensions.SKILLS + ")";
            default -> null;
        };
    }
}
