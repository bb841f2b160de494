package dev.fusebox.gateway.catalog;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Promise;
import dev.fusebox.gateway.catalog.CatalogState.Activity;
import dev.fusebox.gateway.catalog.CatalogState.Demand;
import dev.fusebox.gateway.catalog.CatalogState.LastReading;
import dev.fusebox.gateway.catalog.CatalogState.Listing;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The catalog of one server: read when it is first needed, and again when the server reports a change or has a
/// new connection. One reading at a time, and at most one a second except for those that start a server. The
/// last good contents stay if a reading fails. Thread-safe; nothing blocks.
///
/// [CatalogState] has the states and their transitions; this class holds the current state, runs the readings
/// on a thread of their own, and notifies the server of their results.
///
/// Once it is closed, nothing is read any more, waiters are released, and the server is no longer notified.
public final class ServerCatalog {
    private static final System.Logger LOG = LazyLoggers.of(ServerCatalog.class);
    private static final Duration REST = Duration.ofSeconds(1);

    /// The cooldown of a breaker.
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

    private final Platform platform;
    private final Server server;
    private volatile CatalogState state = CatalogState.INITIAL;

    /// Of the last good reading. Written before that has ended.
    private volatile Map<CatalogKind, ListHint> hints = Map.of();

    /// The thread that waits for the minimum interval.
    private volatile @Nullable Thread resting;

    /// A reading in progress.
    ///
    /// @param begunAt by the monotonic clock
    /// @param isFirst whether there was no reading before, and nothing was known
    public record Reading(Promise<Boolean> done, long begunAt, boolean isFirst) {}

    /// The server whose lists are read. Only [#read] may block.
    public interface Server {
        /// Reads the lists. Blocks as long as the server takes.
        CatalogFetcher.Listed read();

        /// The contents have changed.
        void changed(CatalogContents before);

        /// A reading has ended.
        ///
        /// @param failure null if it succeeded
        default void ended(@Nullable CallFailure failure) {}

        /// No reading is in progress any more.
        default void atRest() {}

        /// Whether its idle connection was closed: it is not reconnected only to be read, but read with its next
        /// connection.
        default boolean isResting() {
            return false;
        }

        /// Whether it has crashed and awaits its restart: it is not started for a reading that was due on the
        /// lost connection.
        default boolean isDown() {
            return false;
        }
    }

    public ServerCatalog(Platform platform, Server server) {
        this.platform = platform;
        this.server = server;
    }

    // ---- Contents

    /// The contents as far as they are known.
    public CatalogContents contents() {
        return state.contents();
    }

    /// The contents as last read or cached; empty if the configuration has changed since.
    public CatalogContents last() {
        CatalogState now = state;
        return now.listing() instanceof Listing.Foreign ? CatalogContents.NOTHING : now.contents();
    }

    /// Whether the contents were ever read, in this run or an earlier one.
    public boolean isKnown() {
        return state.isKnown();
    }

    /// Whether the contents were read in this run, and do not only come from the cache.
    public boolean isLive() {
        return state.isLive();
    }

    /// How long a list may be used from now on; null while it is not confirmed by the server, or about to be read
    /// again. A list whose time is over is read again in the background.
    public @Nullable ListHint hint(CatalogKind kind) {
        CatalogState now = state;
        LastReading last = now.last();
        Long begunAt = last.begunAt();
        boolean isConfirmed = now.isLive() && now.reading() == null && last.failure() == null && !last.isBehind();
        ListHint hint = isConfirmed ? hints.get(kind) : null;
        if (hint == null || begunAt == null) {
            return null;
        }
        ListHint left = hint.after(Duration.ofNanos(nanos() - begunAt));
        if (left.isOver() && !hint.isOver()) {
            stale();
        }
        return left;
    }

    /// The lists that the last good reading could not read, with error messages.
    public Map<CatalogKind, String> failures() {
        return state.listing().failures();
    }

    /// Why the last reading failed; null if it succeeded.
    public @Nullable CallFailure failure() {
        return state.last().failure();
    }

    /// Whether the last reading failed, and began less than this ago.
    public boolean failedWithin(Duration rest) {
        CatalogState now = state;
        return now.reading() == null && now.last().failure() != null && now.sinceRead(nanos()) < rest.toNanos();
    }

    /// Whether no reading is in progress.
    public boolean isIdle() {
        return state.reading() == null;
    }

    /// Whether the current reading may start the server, because a client waits for it or the start is for it.
    public boolean mayStart() {
        return state.isFor(Demand.CLIENT);
    }

    /// Sets the contents from the cache. The caller publishes them and then calls [#restored].
    ///
    /// @return false if newer contents have been read
    public boolean restore(CatalogContents remembered) {
        return apply(from -> from.takesCache() ? from.fromCache(remembered) : from)
                .takesCache();
    }

    /// Confirms that the contents from the cache are published: they then count as read and announced.
    public void restored() {
        apply(CatalogState::published);
    }

    /// Marks the contents as belonging to the previous configuration. They stay visible until the server has
    /// listed its own or the cache has them, and that is then announced even if it is equal.
    public void forget() {
        apply(CatalogState::forgotten);
    }

    // ---- Requests

    /// Requests the contents. Returns the reading that provides them; null if none is needed.
    public @Nullable Reading want() {
        if (state.isKnown()) {
            askAgain();
            return null;
        }
        return want(now -> !now.isKnown());
    }

    /// The same for a call that must not rely on the cache; also null if another call has waited without success
    /// on this connection.
    public @Nullable Reading wantLive() {
        return want(now -> !now.isLive() && !now.last().hasWaitedInVain());
    }

    private @Nullable Reading want(Predicate<CatalogState> isNeeded) {
        CatalogState next = apply(from -> isNeeded.test(from) ? from.requested(Demand.CLIENT, nanos()) : from);
        return isNeeded.test(next) && !next.isClosed() ? next.reading() : null;
    }

    /// Reads failed lists again, with the others, in the background.
    private void askAgain() {
        CatalogState now = state;
        if (!failures().isEmpty() && now.reading() == null && now.sinceRead(nanos()) >= AFTER_FAILURE.toNanos()) {
            stale();
        }
    }

    /// Records that a call has waited for the list without success: on this connection no other call waits for it.
    public void waitedInVain() {
        apply(CatalogState::waitedInVain);
    }

    /// Repeats a failed reading now that the server works again.
    public void catchUp() {
        if (state.last().isBehind()) {
            apply(from -> from.caughtUp(nanos()));
        } else {
            askAgain();
        }
    }

    /// Records that the server is gone: its lists are read again when it works again.
    public void fallBehind() {
        apply(CatalogState::lost);
    }

    /// Notes that the lists may have changed.
    public void stale() {
        apply(from -> from.changed(nanos()));
    }

    /// Reads known lists again if the last reading began at least this long ago. Returns the reading in progress; null
    /// if there is none.
    public @Nullable Reading renewAfter(Duration age) {
        return apply(from -> from.isKnown() && from.sinceRead(nanos()) >= age.toNanos() ? from.changed(nanos()) : from)
                .reading();
    }

    /// Reads the lists on the current connection, which must exist.
    public void refresh() {
        connected(Demand.CLIENT);
    }

    /// Notes a new connection. A reading in progress may have opened it; if that led to another reading, a
    /// server that exits after each list would be restarted forever.
    public void reconnected() {
        connected(Demand.CONNECTION);
    }

    /// Skips the minimum interval: the next reading is what the server is started for.
    public void due() {
        connected(Demand.START);
        LockSupport.unpark(resting);
    }

    private void connected(Demand demand) {
        apply(from -> from.connected().requested(demand, nanos()));
    }

    /// Invalidates the current reading, because the server has a new process or configuration. It is repeated
    /// even if it has no waiter any more.
    public void invalidate() {
        apply(from -> from.renewed(nanos()));
    }

    public void close() {
        CatalogState closed = apply(CatalogState::closed);
        release(closed.reading(), closed);
    }

    /// Applies a transition, and starts the reading that it requests.
    private CatalogState apply(UnaryOperator<CatalogState> transition) {
        CatalogState before;
        CatalogState next;
        synchronized (this) {
            before = state;
            next = transition.apply(before);
            state = next;
        }
        if (before.activity() instanceof Activity.Idle && next.activity() instanceof Activity.Waiting) {
            VirtualThreadStarter.start("fusebox-list", this::readAll, this::end);
        }
        return next;
    }

    private long nanos() {
        return platform.ticker().nanos();
    }

    // ---- Reading

    private void readAll() {
        boolean goesOn = true;
        while (goesOn) {
            try {
                rest();
                if (begin()) {
                    readOnce();
                }
            } finally {
                goesOn = ended();
            }
        }
    }

    /// Enforces the minimum interval: a server whose lists change all the time is read once a second.
    private void rest() {
        CatalogState now = state;
        long since = now.sinceRead(nanos());
        resting = Thread.currentThread();
        try {
            if (now.isLive() && since < REST.toNanos()) {
                platform.await(REST.minusNanos(since), () -> state.isFor(Demand.START));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            resting = null;
        }
    }

    /// Returns whether the lists are to be fetched.
    private boolean begin() {
        CatalogState begun = apply(from -> from.begun(nanos()));
        return (begun.isFor(Demand.CONNECTION) || !server.isResting())
                && (mayStart() || !server.isDown())
                && !state.isClosed();
    }

    /// An internal error fails one reading, but not later ones.
    private void readOnce() {
        try {
            switch (server.read()) {
                case CatalogFetcher.Listed.Failed(CallFailure failure) when state.isValid() -> failed(failure);
                case CatalogFetcher.Listed.Failed failed -> {}
                case CatalogFetcher.Listed.All all -> {
                    hints = all.hints();
                    take(all.contents(), all.failures());
                }
            }
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, "failed to read the catalog of a server (internal error)", bug);
            failed(CallFailure.notSent(ErrorId.INTERNAL, "internal error while reading the server's catalog: " + bug));
        }
    }

    private void failed(CallFailure failure) {
        apply(from -> from.failed(failure));
        server.ended(failure);
    }

    private void take(CatalogContents contents, Map<CatalogKind, String> failures) {
        CatalogState before;
        CatalogState next;
        synchronized (this) {
            before = state;
            next = before.isValid() ? before.listed(contents, failures) : before;
            state = next;
        }
        if (!before.isValid()) {
            return;
        }
        if (next.listing() instanceof Listing.Received) {
            server.changed(before.contents());
            // After the announcement, so that a reader that finds the lists known also finds them published.
            apply(from -> from.announced(failures));
        }
        warn(before.listing().failures(), failures);
        server.ended(null);
    }

    /// Logs a failed list once until it has been read again.
    private static void warn(Map<CatalogKind, String> before, Map<CatalogKind, String> failures) {
        failures.forEach((kind, why) -> {
            if (!before.containsKey(kind)) {
                LOG.log(Level.WARNING, why + "; using the server without this list, retrying later");
            }
        });
    }

    /// Returns whether the reading is repeated.
    private boolean ended() {
        boolean goesOn = end().activity() instanceof Activity.Waiting;
        if (!goesOn) {
            server.atRest();
        }
        return goesOn;
    }

    /// Ends a reading, also one that could not begin. Its waiters do not wait for the repetition.
    private CatalogState end() {
        Reading done = state.reading();
        CatalogState next = apply(from -> from.begun(nanos()).ended(nanos()));
        release(done, next);
        return next;
    }

    private static void release(@Nullable Reading reading, CatalogState now) {
        if (reading != null) {
            reading.done().complete(now.isKnown());
        }
    }
}
