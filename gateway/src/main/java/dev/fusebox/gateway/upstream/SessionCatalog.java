package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// What one server offers each client that has a process of it for itself: a server may show some tools only to
/// clients with certain capabilities. Clients without a session share one list here. Thread-safe; nothing blocks.
///
/// The list that all share stands in for a client until its own is read, if it was read for the same capabilities.
final class SessionCatalog {
    /// Stands for all clients that share a process.
    private static final ClientSession TOGETHER = () -> true;

    private final Platform platform;
    private final ServerCatalog shared;
    private final GatewayRequests requests;
    private final Server server;
    private final Map<ClientSession, ServerCatalog> own = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /// The client that the shared list was read for last; null if that is not known.
    private volatile @Nullable ListedFor listedFor;

    /// The server whose lists these are. Immutable.
    ///
    /// @param pages how many a list may have
    /// @param changed is told whose list has changed, and in which kinds; must not block
    record Server(String id, int pages, ServerRuntime runtime, BiConsumer<ClientMetadata, Set<CatalogKind>> changed) {
        boolean isIsolated() {
            return runtime.generation().isIsolated();
        }
    }

    /// A client over whose connection a list was read. Immutable.
    ///
    /// @param profile what the server was told of its capabilities
    /// @param clientSession null if many share the connection, or it was in an earlier run
    private record ListedFor(String profile, @Nullable ClientSession clientSession) {
        static ListedFor of(@Nullable ClientMetadata reader) {
            return reader == null ? new ListedFor("", null) : new ListedFor(reader.profile(), reader.clientSession());
        }
    }

    /// @param shared what the server offers, as all see it that have no list of their own
    SessionCatalog(Platform platform, ServerCatalog shared, GatewayRequests requests, Server server) {
        this.platform = platform;
        this.shared = shared;
        this.requests = requests;
        this.server = server;
    }

    // ---- What a client sees

    private static ClientSession owner(ClientMetadata client) {
        ClientSession clientSession = client.clientSession();
        return clientSession == null ? TOGETHER : clientSession;
    }

    /// The client's own list; null if it has not been asked for.
    private @Nullable ServerCatalog find(ClientMetadata client) {
        return own.isEmpty() || !server.isIsolated() ? null : own.get(owner(client));
    }

    private ServerCatalog of(ClientMetadata client) {
        ClientSession clientSession = owner(client);
        ServerCatalog catalog = own.computeIfAbsent(clientSession, first -> made(client));
        // Who leaves, or closes, says so first and looks afterwards: one of the two finds the other.
        if (closed || !clientSession.isHere()) {
            left(clientSession);
        }
        return catalog;
    }

    private ServerCatalog made(ClientMetadata client) {
        return new ServerCatalog(platform, () -> read(client), before -> changed(client, before), failure -> {})
                .leaving(() -> server.runtime().lifecycle().isAway());
    }

    /// What the server offers this client, as far as it is known.
    CatalogContents contents(ClientMetadata client) {
        ServerCatalog mine = find(client);
        return mine != null && mine.isKnown() ? mine.contents() : stoodInFor(client);
    }

    /// The lists that stay for this client where its own fail.
    private CatalogContents last(ClientMetadata client) {
        ServerCatalog mine = find(client);
        if (mine != null && mine.isKnown()) {
            return mine.last();
        }
        return isListedFor(client) ? shared.last() : CatalogContents.NOTHING;
    }

    /// What was read for other capabilities says nothing of what this client can call.
    private CatalogContents stoodInFor(ClientMetadata client) {
        return isListedFor(client) ? shared.contents() : CatalogContents.NOTHING;
    }

    /// Whether the server has said itself what it offers this client.
    boolean isLive(ClientMetadata client) {
        ServerCatalog mine = find(client);
        if (mine != null && mine.isKnown()) {
            return mine.isLive();
        }
        return shared.isLive() && isListedFor(client);
    }

    /// Whether the shared list is, or will be, that of a client with the same capabilities.
    private boolean isListedFor(ClientMetadata client) {
        if (!server.isIsolated()) {
            return true;
        }
        ListedFor last = listedFor;
        ListedFor known = last != null || shared.isKnown() ? last : ListedFor.of(requests.reader(null));
        return known == null
                || (known.clientSession() != null && known.clientSession().equals(client.clientSession()))
                || known.profile().equals(client.profile());
    }

    // ---- Reading

    /// The reading of what the server offers this client; null if that is known, or if the server must not be
    /// called.
    ServerCatalog.@Nullable Reading want(ClientMetadata client) {
        ServerCatalog mine = find(client);
        if (server.runtime().lifecycle().isRefusing()) {
            return null;
        }
        if (mine != null && mine.isKnown()) {
            return mine.want();
        }
        return isListedFor(client) ? shared.want() : of(client).want();
    }

    /// The same for frequent callers: a server that has just failed to say it is left to those who look after it.
    ServerCatalog.@Nullable Reading wantAfter(ClientMetadata client, Duration rest) {
        ServerCatalog mine = find(client);
        return (mine == null ? shared : mine).failedWithin(rest) ? null : want(client);
    }

    private CatalogFetcher.Listed read(ClientMetadata client) {
        ServerCatalog mine = of(client);
        ClientMetadata reader = client.clientSession() == null ? null : client;
        CatalogFetcher.Asking asking = requests.over(reader, mine::mayStart);
        CatalogFetcher.Listed listed = new CatalogFetcher(server.id(), asking, server.pages()).offer(last(client));
        // Equal lists are kept once, however many sessions there are.
        return listed instanceof CatalogFetcher.Listed.All(CatalogContents offered, Map<CatalogKind, String> failures)
                        && offered.differences(shared.contents()).isEmpty()
                ? new CatalogFetcher.Listed.All(shared.contents(), failures)
                : listed;
    }

    /// @param before of the client's own list; nothing if the client saw the shared one
    private void changed(ClientMetadata client, CatalogContents before) {
        ServerCatalog mine = own.get(owner(client));
        CatalogContents now = mine == null ? shared.contents() : mine.contents();
        CatalogContents seen = before.equals(CatalogContents.NOTHING) ? stoodInFor(client) : before;
        server.changed().accept(client, now.differences(seen));
    }

    /// A call of the client was answered: it has a process of its own, whose list is its own from now on.
    void catchUp(ClientMetadata client) {
        ClientSession clientSession = client.clientSession();
        if (clientSession != null && server.isIsolated() && !isReader(clientSession)) {
            ServerCatalog mine = of(client);
            mine.want();
            mine.catchUp();
        }
    }

    /// The list of a client may be another now.
    void stale(ClientSession clientSession) {
        ServerCatalog mine = own.get(clientSession);
        if (mine != null) {
            mine.stale();
        } else if (isReader(clientSession)) {
            shared.stale();
        }
    }

    /// The process of a client has ended: the next may list something else.
    void lost(ClientSession clientSession) {
        ServerCatalog mine = own.get(clientSession);
        if (mine != null) {
            mine.fallBehind();
        }
    }

    void left(ClientSession clientSession) {
        ServerCatalog mine = own.remove(clientSession);
        if (mine != null) {
            mine.close();
        }
    }

    /// The server is another from now on: lists are read anew when they are wanted.
    void clear() {
        listedFor = null;
        own.keySet().forEach(this::left);
    }

    void close() {
        closed = true;
        clear();
    }

    // ---- The shared list

    /// Over whose connection the shared list is read next: of a client with the capabilities that it was read for.
    @Nullable
    ClientMetadata reader() {
        ListedFor last = listedFor;
        return requests.reader(last == null ? null : last.profile());
    }

    private boolean isReader(ClientSession clientSession) {
        ListedFor known = listedFor;
        return known != null && clientSession.equals(known.clientSession());
    }

    /// The shared list was read over this client's connection; null for one that many share.
    void listedFor(@Nullable ClientMetadata reader) {
        listedFor = ListedFor.of(reader);
    }

    /// The shared list is remembered from an earlier run.
    ///
    /// @param profile of the client that it was read for; null if that is not known
    void recalled(@Nullable String profile) {
        listedFor = profile == null ? null : new ListedFor(profile, null);
    }

    /// Of the client that the shared list was read for; null if that is not known.
    @Nullable
    String profile() {
        ListedFor known = listedFor;
        return known == null ? null : known.profile();
    }
}
