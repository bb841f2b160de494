package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Principal;
import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.catalog.CatalogFetcher;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.ListHint;
import dev.fusebox.gateway.catalog.ServerCatalog;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The lists of one server for each client that has its own process of it: a server may show some tools only to
/// clients with certain capabilities. Clients without a session share one list here. Thread-safe; nothing
/// blocks.
///
/// Until a client's own list has been read, the shared list is used if it was read for the same capabilities.
public final class SessionCatalog implements ProcessGroups.Actions {
    private final ServerRuntime runtime;
    private final GatewayRequests requests;
    private final ProcessGroups groups;
    private final ServerCatalog shared;
    private final CatalogListener catalogListener;
    private final Map<ClientSession, ServerCatalog> own = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /// The client that the shared list was read for last; null if unknown.
    private volatile @Nullable ListedFor listedFor;

    /// The client over whose connection a list was read. Immutable.
    ///
    /// @param profile its capabilities as given to the server
    /// @param clientSession null if the connection is shared, or belonged to an earlier run
    private record ListedFor(String profile, @Nullable ClientSession clientSession) {
        static ListedFor of(@Nullable ClientMetadata reader) {
            return reader == null ? new ListedFor("", null) : new ListedFor(reader.profile(), reader.clientSession());
        }
    }

    /// What clients without a list of their own see.
    ///
    /// @param catalog the list for them
    /// @param catalogListener notified of the clients whose list has changed; must not block
    record Shared(ServerCatalog catalog, CatalogListener catalogListener) {}

    /// @param groups maps sessions to those that share a process with others
    SessionCatalog(ServerRuntime runtime, GatewayRequests requests, ProcessGroups groups, Shared shared) {
        this.runtime = runtime;
        this.requests = requests;
        this.groups = groups;
        this.shared = shared.catalog();
        this.catalogListener = shared.catalogListener();
    }

    private boolean isIsolated() {
        return runtime.generation().isIsolated();
    }

    /// Whether the client may have a list of its own: the shared list is that of the gateway's owner.
    private boolean isApart(ClientMetadata client) {
        return isIsolated() || !isOfOwner(client);
    }

    private static boolean isOfOwner(ClientMetadata client) {
        return client.principal().equals(Principal.OWNER);
    }

    // ---- Lookup

    /// The client's own list; null if it has not been requested.
    private @Nullable ServerCatalog find(ClientMetadata client) {
        return own.isEmpty() || !isApart(client) ? null : own.get(client.sessionOrShared());
    }

    private ServerCatalog of(ClientMetadata client) {
        ClientSession clientSession = client.sessionOrShared();
        ServerCatalog catalog = own.computeIfAbsent(
                clientSession, first -> new ServerCatalog(runtime.platform(), new ListReading(client)));
        // A session that ends, and close, set their flag first and look here afterwards: one of the two sees
        // the other.
        if (closed || !clientSession.isHere()) {
            left(clientSession);
        }
        return catalog;
    }

    /// The known contents for this client.
    public CatalogContents contents(ClientMetadata client) {
        ClientMetadata owner = groups.seen(client);
        ServerCatalog mine = find(owner);
        return mine != null && mine.isKnown() ? mine.contents() : stoodInFor(owner);
    }

    /// The contents that stay for this client if reading its own list fails.
    private CatalogContents last(ClientMetadata client) {
        ServerCatalog mine = find(client);
        if (mine != null && mine.isKnown()) {
            return mine.last();
        }
        return isListedFor(client) ? shared.last() : CatalogContents.NOTHING;
    }

    /// A list that was read for other capabilities does not show what this client can call.
    private CatalogContents stoodInFor(ClientMetadata client) {
        return isListedFor(client) ? shared.contents() : CatalogContents.NOTHING;
    }

    /// How long a list of this client may be used from now on; null if that is not known. A list whose changes are
    /// announced is known to be as it was only while the server is connected.
    public @Nullable ListHint hint(CatalogKind kind, ClientMetadata client) {
        ClientMetadata owner = groups.seen(client);
        ServerCatalog mine = find(owner);
        if (mine != null && mine.isKnown()) {
            return ifKnown(mine.hint(kind), owner.clientSession());
        }
        return isListedFor(owner) ? ifKnown(shared.hint(kind), null) : null;
    }

    private @Nullable ListHint ifKnown(@Nullable ListHint hint, @Nullable ClientSession own) {
        return hint == null || hint.ttl() != null || isConnected(own) ? hint : null;
    }

    private boolean isConnected(@Nullable ClientSession own) {
        return own == null
                ? !runtime.generation().isResting()
                : runtime.generation().hasOwn(own);
    }

    /// Whether the contents for this client were read in this run.
    public boolean isLive(ClientMetadata client) {
        ClientMetadata owner = groups.seen(client);
        ServerCatalog mine = find(owner);
        if (mine != null && mine.isKnown()) {
            return mine.isLive();
        }
        return shared.isLive() && isListedFor(owner);
    }

    /// Whether the shared list is, or will be, that of a client with the same capabilities.
    private boolean isListedFor(ClientMetadata client) {
        if (!isIsolated() || !isOfOwner(client)) {
            return isOfOwner(client);
        }
        ListedFor last = listedFor;
        ListedFor known = last != null || shared.isKnown() ? last : ListedFor.of(requests.reader(null));
        return known == null
                || (known.clientSession() != null && known.clientSession().equals(client.clientSession()))
                || known.profile().equals(client.profile());
    }

    // ---- Reading

    /// The reading of the client's list; null if that is known, or if the server must not be called.
    public ServerCatalog.@Nullable Reading want(ClientMetadata client) {
        return wantAs(groups.as(client));
    }

    private ServerCatalog.@Nullable Reading wantAs(ClientMetadata client) {
        ServerCatalog mine = find(client);
        if (runtime.lifecycle().isRefusing()) {
            return null;
        }
        if (mine != null && mine.isKnown()) {
            return mine.want();
        }
        return isListedFor(client) ? shared.want() : of(client).want();
    }

    /// The same for frequent callers: a reading that has just failed is not repeated by them.
    public ServerCatalog.@Nullable Reading wantAfter(ClientMetadata client, Duration rest) {
        ClientMetadata owner = groups.as(client);
        ServerCatalog mine = find(owner);
        return (mine == null ? shared : mine).failedWithin(rest) ? null : wantAs(owner);
    }

    /// Reads the client's known list again if the last reading began at least this long ago. Returns the reading in
    /// progress; null if there is none.
    public ServerCatalog.@Nullable Reading renewAfter(ClientMetadata client, Duration age) {
        ServerCatalog mine = find(groups.seen(client));
        return (mine == null ? shared : mine).renewAfter(age);
    }

    /// The server as seen by the list of one client.
    private final class ListReading implements ServerCatalog.Server {
        private final ClientMetadata client;

        ListReading(ClientMetadata client) {
            this.client = client;
        }

        @Override
        public CatalogFetcher.Listed read() {
            ServerCatalog mine = of(client);
            ClientMetadata reader = client.clientSession() == null && isOfOwner(client) ? null : client;
            CatalogFetcher.Listed listed = requests.lists(reader, mine::mayStart, last(client));
            if (listed instanceof CatalogFetcher.Listed.All all
                    && all.contents().differences(shared.contents()).isEmpty()
                    && all.contents().extensions().equals(shared.contents().extensions())) {
                noteAlike();
                // Equal lists are shared between sessions.
                return new CatalogFetcher.Listed.All(shared.contents(), all.failures(), all.hints());
            }
            return listed;
        }

        /// The shared list may not be known yet.
        private void noteAlike() {
            if (shared.isLive() && listedFor != null) {
                runtime.generation().cached().noteAlike(client.profile());
            }
        }

        /// @param before previous contents of the client's own list; empty if the client used the shared one
        @Override
        public void changed(CatalogContents before) {
            ServerCatalog mine = own.get(client.sessionOrShared());
            CatalogContents now = mine == null ? shared.contents() : mine.contents();
            CatalogContents seen = before.equals(CatalogContents.NOTHING) ? stoodInFor(client) : before;
            catalogListener.changed(client, now.differences(seen));
        }

        @Override
        public boolean isDown() {
            return runtime.lifecycle().isUnavailable();
        }
    }

    /// Notes that a call of the client was answered: its own process is running, and its own list replaces the
    /// shared one.
    void catchUp(ClientMetadata client) {
        ClientSession clientSession = client.clientSession();
        if (clientSession != null && isIsolated() && !isReader(clientSession)) {
            ServerCatalog mine = of(client);
            mine.want();
            mine.catchUp();
        }
    }

    /// Notes that the list of a client may have changed.
    public void stale(ClientSession session) {
        ClientSession clientSession = groups.as(session);
        ServerCatalog mine = own.get(clientSession);
        if (mine != null) {
            mine.stale();
        } else if (isReader(clientSession)) {
            shared.stale();
        }
    }

    /// Notes that the process of a client has ended: the next one may list something else.
    public void lost(ClientSession clientSession) {
        ServerCatalog mine = own.get(groups.as(clientSession));
        if (mine != null) {
            mine.fallBehind();
        }
    }

    @Override
    public void listsChanged(ClientSession group) {
        stale(group);
    }

    @Override
    public void processLost(ClientSession group) {
        lost(group);
    }

    @Override
    public void over(ClientSession clientSession) {
        left(clientSession);
        runtime.generation().left(clientSession);
    }

    void left(ClientSession clientSession) {
        ServerCatalog mine = own.remove(clientSession);
        if (mine != null) {
            mine.close();
        }
    }

    /// Discards all lists after a change of the configuration; they are read again on demand.
    void clear() {
        listedFor = null;
        own.keySet().forEach(this::left);
    }

    void close() {
        closed = true;
        clear();
    }

    // ---- The shared list

    /// The client over whose connection the shared list is read next: one with the capabilities that it was
    /// read for.
    @Nullable
    ClientMetadata reader() {
        ListedFor last = listedFor;
        return requests.reader(last == null ? null : last.profile());
    }

    private boolean isReader(ClientSession clientSession) {
        ListedFor known = listedFor;
        return known != null && clientSession.equals(known.clientSession());
    }

    /// Notes the client over whose connection the shared list was read; null for a shared connection.
    void listedFor(@Nullable ClientMetadata reader) {
        listedFor = ListedFor.of(reader);
    }

    /// Notes that the shared list was restored from the cache.
    ///
    /// @param profile of the client that it was read for; null if unknown
    void restore(@Nullable String profile) {
        listedFor = profile == null ? null : new ListedFor(profile, null);
    }

    /// The profile of the client that the shared list was read for; null if unknown.
    @Nullable
    String profile() {
        ListedFor known = listedFor;
        return known == null ? null : known.profile();
    }
}
