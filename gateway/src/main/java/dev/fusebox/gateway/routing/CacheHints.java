package dev.fusebox.gateway.routing;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.ListHint;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a client of the modern era may cache of the gateway's own answers (revision 2026-07-28, section "Caching"):
/// for how long, and whether only for itself. Immutable; nothing blocks.
///
/// @param servers whose lists the answers contain
/// @param client that gets them
record CacheHints(UpstreamServers servers, ClientMetadata client) {
    /// An answer without anything of a server changes only with the configuration.
    private static final Duration OF_GATEWAY = Duration.ofMinutes(5);

    /// A client that is not subscribed learns this late of a change that its server has announced.
    private static final Duration ANNOUNCED = Duration.ofMinutes(1);

    /// What an answer says. Immutable.
    record Hint(Duration ttl, boolean isPublic) {
        void write(JsonWriter result) {
            result.name("ttlMs").number(ttl.toMillis());
            result.name("cacheScope").string(isPublic ? "public" : "private");
        }

        private Hint and(Hint other) {
            return new Hint(ttl.compareTo(other.ttl) < 0 ? ttl : other.ttl, isPublic && other.isPublic);
        }
    }

    /// The hint for a list.
    Hint ofList(CatalogKind kind) {
        return of(
                kind,
                servers.servers().stream()
                        .filter(server -> isInList(kind, server))
                        .toList());
    }

    /// Whether clients see anything of the server in a list. Skills are listed in any case, and tools with apps for
    /// clients that render them.
    private boolean isInList(CatalogKind kind, UpstreamServer server) {
        boolean hasTools = kind == CatalogKind.TOOLS
                && (isPinned(server) || servers.extensions().listsApps(client));
        return servers.exposurePolicy().hasAll() || kind == CatalogKind.SKILLS || hasTools;
    }

    /// The hint for `server/discover`, whose extensions are those of the servers, as far as they are known.
    Hint ofDiscovery() {
        return of(CatalogKind.TOOLS, servers.servers());
    }

    private boolean isPinned(UpstreamServer server) {
        return servers.exposurePolicy().concerns(server.id())
                || servers.replicaSets().stream()
                        .anyMatch(replicas -> replicas.servers().contains(server)
                                && servers.exposurePolicy().concerns(replicas.id()));
    }

    private Hint of(CatalogKind kind, List<UpstreamServer> of) {
        Hint own =
                new Hint(OF_GATEWAY, servers.hasSharedLists() && servers.views().isShared(client));
        Hint all = of.stream().map(server -> of(kind, server)).reduce(own, Hint::and);
        boolean isChanging = !of.isEmpty() && !servers.pendingServers().names().isEmpty();
        return isChanging ? new Hint(Duration.ZERO, all.isPublic()) : all;
    }

    private Hint of(CatalogKind kind, UpstreamServer server) {
        ListHint hint = server.lists().hint(kind, client);
        boolean isPublic = hint != null
                && !hint.isPrivate()
                && !server.sessions().isIsolated()
                && !servers.parameters().userLogins().hasCredentials(server.id());
        return new Hint(hint == null ? Duration.ZERO : time(hint), isPublic);
    }

    /// What a server says itself counts; one that says nothing of caching may announce changes.
    private static Duration time(ListHint hint) {
        @Nullable Duration said = hint.ttl();
        return Objects.requireNonNullElse(said, hint.isAnnounced() ? ANNOUNCED : Duration.ZERO);
    }
}
