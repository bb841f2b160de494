package dev.fusebox.gateway.upstream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Promise;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The catalog of one server: read when it is first needed, and again when the server reports a change or has a
/// new connection. One reading at a time, and at most one a second except for those that start a server. The
/// last good contents stay if a reading fails. Thread-safe; nothing blocks.
///
/// ```
/// new --want--> reading --read--> known --changed--> reading ...
///  |              '--failed--> as before; the next want, or the next answered call, reads again
///  |              '--read in part--> known; the same, half a minute later at the earliest
///  '--recall--> known from the cache, until it has been read
/// ```
///
/// Once it is closed, nothing is read any more, waiters are released, and listeners are no longer notified.
final class ServerCatalog {
    private static final System.Logger LOG = LazyLoggers.of(ServerCatalog.class);
    private static final Duration REST = Duration.ofSeconds(1);

    /// The cooldown of a breaker.
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

    private final Platform platform;
    private final Supplier<CatalogFetcher.Listed> read;
    private final Consumer<CatalogContents> changed;
    private final Consumer<@Nullable CallFailure> ended;
    private volatile CatalogContents contents = CatalogContents.NOTHING;
    private volatile @Nullable CallFailure failure;
    private volatile Map<CatalogKind, String> failures = Map.of();

    /// Whether the known contents were read from the server's previous configuration.
    private volatile boolean isForeign;
    private volatile boolean known;
    private volatile boolean live;
    private volatile boolean behind;
    private volatile @Nullable Reading reading;
    private boolean hasWaitedInVain;
    private Runnable atRest = () -> {};
    private BooleanSupplier isAway = () -> false;
    private BooleanSupplier isDown = () -> false;

    /// Whether the current reading has a waiter, and is done even without a connection.
    private boolean isNeeded;

    /// Whether the current reading may start a server that is down.
    private volatile boolean mayStart;

    private boolean again;

    /// Whether a reading has ended, with success or not.
    private boolean wasRead;

    /// Whether the current reading is obsolete and must be repeated, even if no contents were ever known.
    private boolean anew;

    private volatile boolean closed;
    private boolean told;
    private boolean said;
    private long readAt;

    /// Whether the next reading is meant to bring the server back; it then skips the minimum interval.
    private volatile boolean isDue;

    private volatile @Nullable Thread resting;

    /// A reading in progress.
    ///
    /// @param begunAt by the monotonic clock
    /// @param isFirst whether there was no reading before, and nothing was known
    record Reading(Promise<Boolean> done, long begunAt, boolean isFirst) {}

    /// @param read reads the lists; blocks as long as the server takes
    /// @param changed receives the previous contents after each reading that changed them; must not block
    /// @param ended receives the failure of each reading, or null; must not block
    ServerCatalog(
            Platform platform,
            Supplier<CatalogFetcher.Listed> read,
            Consumer<CatalogContents> changed,
            Consumer<@Nullable CallFailure> ended) {
        this.platform = platform;
        this.read = read;
        this.changed = changed;
        this.ended = ended;
    }

    /// Sets an action that is run whenever no reading is in progress any more; it must not block. To be called
    /// before the first reading.
    ServerCatalog atRest(Runnable action) {
        atRest = action;
        return this;
    }

    /// Sets a check for a server whose idle connection was closed: it is not reconnected only to be read, but
    /// read with its next connection. To be called before the first reading.
    ServerCatalog sparing(BooleanSupplier away) {
        isAway = away;
        return this;
    }

    /// Sets a check for a server that has crashed and awaits its restart: it is not started for a reading that
    /// was due on the lost connection. To be called before the first reading.
    ServerCatalog leaving(BooleanSupplier down) {
        isDown = down;
        return this;
    }

    /// Whether the current reading may start the server, because a client waits for it or the start is for it.
    boolean mayStart() {
        return mayStart;
    }

    /// The contents as far as they are known.
    CatalogContents contents() {
        return contents;
    }

    /// Whether the contents were ever read, in this run or an earlier one.
    boolean isKnown() {
        return known;
    }

    /// Whether the contents were read in this run, and do not only come from the cache.
    boolean isLive() {
        return live;
    }

    /// Sets the contents from the cache. The caller publishes them and then calls [#recalled].
    ///
    /// @return false if newer contents have been read
    synchronized boolean recall(CatalogContents remembered) {
        if (said || closed) {
            return false;
        }
        isForeign = false;
        contents = remembered;
        return true;
    }

    /// Confirms that the contents from the cache are published: they then count as read and announced.
    synchronized void recalled() {
        told |= !said;
        known = true;
    }

    /// The contents as last read or cached; empty if the configuration has changed since.
    CatalogContents last() {
        return isForeign ? CatalogContents.NOTHING : contents;
    }

    /// The lists that the last good reading could not read, with error messages.
    Map<CatalogKind, String> failures() {
        return failures;
    }

    /// Why the last reading failed; null if it succeeded.
    @Nullable
    CallFailure failure() {
        return failure;
    }

    /// Requests the contents. Returns the reading that provides them; null if none is needed.
    @Nullable
    Reading want() {
        if (known) {
            askAgain();
            return null;
        }
        return wantFirst();
    }

    private synchronized @Nullable Reading wantFirst() {
        return known || closed ? null : needed();
    }

    /// Reads failed lists again, with the others, in the background.
    private void askAgain() {
        if (failures.isEmpty()) {
            return;
        }
        synchronized (this) {
            if (reading == null && sinceRead() >= AFTER_FAILURE.toNanos()) {
                stale();
            }
        }
    }

    /// The same for a call that must not rely on the cache; null as well if another call has waited in vain on
    /// this connection.
    synchronized @Nullable Reading wantLive() {
        if (live || closed || hasWaitedInVain) {
            return null;
        }
        return needed();
    }

    /// Notes that a call has waited for the list in vain: on this connection no other call waits for it.
    synchronized void waitedInVain() {
        hasWaitedInVain = true;
    }

    /// Whether the last reading failed, and began less than this ago.
    synchronized boolean failedWithin(Duration rest) {
        return reading == null && failure != null && platform.ticker().nanos() - readAt < rest.toNanos();
    }

    /// Repeats a failed reading now that the server works again.
    void catchUp() {
        if (behind) {
            behind = false;
            stale();
        } else {
            askAgain();
        }
    }

    /// Notes that the server is gone: its lists are read again when it works again.
    void fallBehind() {
        behind = known;
    }

    /// Notes that the lists may have changed.
    synchronized void stale() {
        if (closed) {
            return;
        }
        if (reading != null) {
            again = true;
        } else if (known) {
            begun();
        }
    }

    /// Reads the lists on the current connection, which must exist.
    synchronized void refresh() {
        hasWaitedInVain = false;
        if (!closed) {
            needed();
        }
    }

    /// Notes a new connection. A reading in progress may have opened it; if that led to another reading, a
    /// server that exits after each list would be restarted for ever.
    synchronized void reconnected() {
        hasWaitedInVain = false;
        if (!closed) {
            isNeeded = true;
            begun();
        }
    }

    /// Skips the minimum interval: the next reading is what the server is started for.
    synchronized void due() {
        isDue = true;
        LockSupport.unpark(resting);
        refresh();
    }

    /// Invalidates the current reading, because the server has a new process or configuration. It is repeated
    /// even if it has no waiter any more.
    synchronized void anew() {
        if (!closed) {
            anew = reading != null;
            failure = null;
            needed();
        }
    }

    /// Marks the contents as belonging to the previous configuration. They stay visible until the server has
    /// listed its own or the cache has them, and that is then announced even if it is equal.
    synchronized void forget() {
        told = false;
        known = live;
        isForeign = true;
        failures = Map.of();
    }

    /// Whether no reading is in progress.
    boolean isIdle() {
        return reading == null;
    }

    void close() {
        Reading under;
        synchronized (this) {
            closed = true;
            under = reading;
        }
        if (under != null) {
            under.done().bring(known);
        }
    }

    private Reading needed() {
        isNeeded = true;
        mayStart = true;
        return begun();
    }

    private Reading begun() {
        Reading under = reading;
        if (under == null) {
            under = new Reading(new Promise<>(), platform.ticker().nanos(), !known && !wasRead);
            reading = under;
            VirtualThreadStarter.start("fusebox-list", this::readAll, this::unbegun);
        }
        return under;
    }

    /// Releases the waiters of a reading that could not begin; the next request tries again.
    private synchronized void unbegun() {
        Reading under = reading;
        wasRead = true;
        reading = null;
        if (under != null) {
            under.done().bring(known);
        }
    }

    private void readAll() {
        boolean goesOn = true;
        while (goesOn) {
            try {
                rest();
                boolean isWorthIt = (upToDate() || !isAway.getAsBoolean()) && (mayStart || !isDown.getAsBoolean());
                if (!closed && isWorthIt) {
                    readOnce();
                }
            } finally {
                goesOn = ended();
            }
        }
    }

    /// Enforces the minimum interval: a server whose lists change all the time is read once a second.
    private void rest() {
        long since = sinceRead();
        resting = Thread.currentThread();
        try {
            if (live && since < REST.toNanos()) {
                platform.await(REST.minusNanos(since), () -> isDue);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            resting = null;
        }
        synchronized (this) {
            readAt = platform.ticker().nanos();
        }
    }

    private synchronized long sinceRead() {
        return platform.ticker().nanos() - readAt;
    }

    /// Marks the contents up to date as of now. Returns whether the reading has a waiter.
    private synchronized boolean upToDate() {
        isDue = false;
        again = false;
        boolean was = isNeeded;
        isNeeded = false;
        return was;
    }

    /// An internal error fails one reading, but not later ones.
    private void readOnce() {
        try {
            take(read.get());
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, "failed to read a server catalog (internal error)", bug);
            failed(CallFailure.notSent(
                    ErrorId.INTERNAL, "failed to read the server's catalog (internal error): " + bug));
        }
    }

    private void take(CatalogFetcher.Listed listed) {
        if (closed || isOutdated()) {
            return;
        }
        switch (listed) {
            case CatalogFetcher.Listed.Failed(CallFailure callFailure) -> failed(callFailure);
            case CatalogFetcher.Listed.All(CatalogContents offered, Map<CatalogKind, String> failed) -> {
                CatalogContents before = exchanged(offered);
                if (before == null) {
                    return;
                }
                if (!told) {
                    changed.accept(before);
                    told = true;
                }
                failure = null;
                warn(failed);
                failures = failed;
                // Last, so that a reader that sees the flag also sees the contents.
                live = true;
                known = true;
                ended.accept(null);
            }
        }
    }

    /// Logs once until the list has been read again.
    private void warn(Map<CatalogKind, String> failed) {
        failed.forEach((kind, why) -> {
            if (!failures.containsKey(kind)) {
                LOG.log(Level.WARNING, why + "; the server is used without this list, which is requested again later");
            }
        });
    }

    private synchronized boolean isOutdated() {
        return anew;
    }

    /// The previous contents; null if the reading was invalidated meanwhile.
    private synchronized @Nullable CatalogContents exchanged(CatalogContents offered) {
        if (anew) {
            return null;
        }
        CatalogContents before = contents;
        told &= offered.differences(before).isEmpty();
        contents = offered;
        isForeign = false;
        said = true;
        return before;
    }

    private void failed(CallFailure callFailure) {
        behind = known;
        // Last, so that a reader that sees the failure finds the catalog behind.
        failure = callFailure;
        ended.accept(callFailure);
    }

    /// Whether something has changed meanwhile. Waiters of this reading do not wait for the next.
    private boolean ended() {
        Reading done;
        boolean goesOn;
        synchronized (this) {
            done = reading;
            wasRead = true;
            goesOn = (anew || (again && known)) && !closed;
            isNeeded = goesOn && (isNeeded || anew);
            mayStart = goesOn && anew;
            // The repetition of an invalidated reading skips the minimum interval; a due reading has been done.
            isDue = anew;
            anew = false;
            again = false;
            reading = goesOn ? new Reading(new Promise<>(), platform.ticker().nanos(), false) : null;
        }
        if (done != null) {
            done.done().bring(known);
        }
        if (!goesOn) {
            atRest.run();
        }
        return goesOn;
    }
}
