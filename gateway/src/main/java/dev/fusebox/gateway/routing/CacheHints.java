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

    /// Of a list.
    Hint ofList(CatalogKind kind) {
        ExposurePolicy shown = servers.exposurePolicy();
        return of(
                kind,
                servers.servers().stream()
                        .filter(server -> shown.hasAll() || (kind == CatalogKind.TOOLS && isPinned(server)))
                        .toList());
    }

    /// Of what the gateway says about itself, which names the tools of servers if clients see few of them.
    Hint ofDiscovery() {
        boolean hasInstructions = !servers.exposurePolicy().own().isEmpty();
        return of(CatalogKind.TOOLS, hasInstructions ? servers.servers() : List.of());
    }

    private boolean isPinned(UpstreamServer server) {
        return servers.exposurePolicy().concerns(server.id())
                || servers.replicaSets().stream()
                        .anyMatch(replicas -> replicas.servers().contains(server)
                                && servers.exposurePolicy().concerns(replicas.id()));
    }

    private Hint of(CatalogKind kind, List<UpstreamServer> of) {
        Hint own =
                new Hint(OF_GATEWAY, servers.isSameForAll() && servers.views().isShared(client));
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
