package dev.fusebox.gateway.crowd;

import dev.fusebox.gateway.stateless.Guest;
import dev.fusebox.gateway.stateless.Metadata;
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
final class SessionLists {
    /// Stands for all clients that share a process.
    private static final Guest TOGETHER = () -> true;

    private final Platform platform;
    private final Shelf shared;
    private final OwnRequests requests;
    private final Server server;
    private final Map<Guest, Shelf> own = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /// The client that the shared list was read for last; null if that is not known.
    private volatile @Nullable ListedFor listedFor;

    /// The server whose lists these are. Immutable.
    ///
    /// @param pages how many a list may have
    /// @param changed is told whose list has changed, and in which kinds; must not block
    record Server(String id, int pages, Footing footing, BiConsumer<Metadata, Set<Kind>> changed) {
        boolean isIsolated() {
            return footing.line().isIsolated();
        }
    }

    /// A client over whose connection a list was read. Immutable.
    ///
    /// @param profile what the server was told of its capabilities
    /// @param guest null if many share the connection, or it was in an earlier run
    private record ListedFor(String profile, @Nullable Guest guest) {
        static ListedFor of(@Nullable Metadata reader) {
            return reader == null ? new ListedFor("", null) : new ListedFor(reader.profile(), reader.guest());
        }
    }

    /// @param shared what the server offers, as all see it that have no list of their own
    SessionLists(Platform platform, Shelf shared, OwnRequests requests, Server server) {
        this.platform = platform;
        this.shared = shared;
        this.requests = requests;
        this.server = server;
    }

    // ---- What a client sees

    private static Guest owner(Metadata client) {
        Guest guest = client.guest();
        return guest == null ? TOGETHER : guest;
    }

    /// The client's own list; null if it has not been asked for.
    private @Nullable Shelf find(Metadata client) {
        return own.isEmpty() || !server.isIsolated() ? null : own.get(owner(client));
    }

    private Shelf of(Metadata client) {
        Guest guest = owner(client);
        Shelf shelf = own.computeIfAbsent(guest, first -> made(client));
        // Who leaves, or closes, says so first and looks afterwards: one of the two finds the other.
        if (closed || !guest.isHere()) {
            left(guest);
        }
        return shelf;
    }

    private Shelf made(Metadata client) {
        return new Shelf(platform, () -> read(client), before -> changed(client, before), failure -> {})
                .leaving(() -> server.footing().lifecycle().isAway());
    }

    /// What the server offers this client, as far as it is known.
    Offer offer(Metadata client) {
        Shelf mine = find(client);
        return mine != null && mine.isKnown() ? mine.offer() : stoodInFor(client);
    }

    /// The lists that stay for this client where its own fail.
    private Offer last(Metadata client) {
        Shelf mine = find(client);
        if (mine != null && mine.isKnown()) {
            return mine.last();
        }
        return isListedFor(client) ? shared.last() : Offer.NOTHING;
    }

    /// What was read for other capabilities says nothing of what this client can call.
    private Offer stoodInFor(Metadata client) {
        return isListedFor(client) ? shared.offer() : Offer.NOTHING;
    }

    /// Whether the server has said itself what it offers this client.
    boolean isLive(Metadata client) {
        Shelf mine = find(client);
        if (mine != null && mine.isKnown()) {
            return mine.isLive();
        }
        return shared.isLive() && isListedFor(client);
    }

    /// Whether the shared list is, or will be, that of a client with the same capabilities.
    private boolean isListedFor(Metadata client) {
        if (!server.isIsolated()) {
            return true;
        }
        ListedFor last = listedFor;
        ListedFor known = last != null || shared.isKnown() ? last : ListedFor.of(requests.reader(null));
        return known == null
                || (known.guest() != null && known.guest().equals(client.guest()))
                || known.profile().equals(client.profile());
    }

    // ---- Reading

    /// The reading of what the server offers this client; null if that is known, or if the server must not be
    /// called.
    Shelf.@Nullable Reading want(Metadata client) {
        Shelf mine = find(client);
        if (server.footing().lifecycle().isRefusing()) {
            return null;
        }
        if (mine != null && mine.isKnown()) {
            return mine.want();
        }
        return isListedFor(client) ? shared.want() : of(client).want();
    }

    /// The same for frequent callers: a server that has just failed to say it is left to those who look after it.
    Shelf.@Nullable Reading wantAfter(Metadata client, Duration rest) {
        Shelf mine = find(client);
        return (mine == null ? shared : mine).failedWithin(rest) ? null : want(client);
    }

    private Lister.Listed read(Metadata client) {
        Shelf mine = of(client);
        Metadata reader = client.guest() == null ? null : client;
        Lister.Asking asking = requests.over(reader, mine::mayStart);
        Lister.Listed listed = new Lister(server.id(), asking, server.pages()).offer(last(client));
        // Equal lists are kept once, however many sessions there are.
        return listed instanceof Lister.Listed.All(Offer offered, Map<Kind, String> failures)
                        && offered.differences(shared.offer()).isEmpty()
                ? new Lister.Listed.All(shared.offer(), failures)
                : listed;
    }

    /// @param before of the client's own list; nothing if the client saw the shared one
    private void changed(Metadata client, Offer before) {
        Shelf mine = own.get(owner(client));
        Offer now = mine == null ? shared.offer() : mine.offer();
        Offer seen = before.equals(Offer.NOTHING) ? stoodInFor(client) : before;
        server.changed().accept(client, now.differences(seen));
    }

    /// A call of the client was answered: it has a process of its own, whose list is its own from now on.
    void catchUp(Metadata client) {
        Guest guest = client.guest();
        if (guest != null && server.isIsolated() && !isReader(guest)) {
            Shelf mine = of(client);
            mine.want();
            mine.catchUp();
        }
    }

    /// The list of a client may be another now.
    void stale(Guest guest) {
        Shelf mine = own.get(guest);
        if (mine != null) {
            mine.stale();
        } else if (isReader(guest)) {
            shared.stale();
        }
    }

    /// The process of a client has ended: the next may list something else.
    void lost(Guest guest) {
        Shelf mine = own.get(guest);
        if (mine != null) {
            mine.fallBehind();
        }
    }

    void left(Guest guest) {
        Shelf mine = own.remove(guest);
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
    Metadata reader() {
        ListedFor last = listedFor;
        return requests.reader(last == null ? null : last.profile());
    }

    private boolean isReader(Guest guest) {
        ListedFor known = listedFor;
        return known != null && guest.equals(known.guest());
    }

    /// The shared list was read over this client's connection; null for one that many share.
    void listedFor(@Nullable Metadata reader) {
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
