package dev.fusebox.gateway.upstream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
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

/// What one server offers, kept up to date: read when somebody first wants to know, and again when the server says
/// that it has changed or has a new connection. One reading at a time, one a second at most but for those that
/// start a server; the last good one stays when another fails. Thread-safe; nothing blocks.
///
/// ```
/// new --want--> reading --read--> known --changed--> reading ...
///  |              '--failed--> as before; the next want, or the next answered call, reads again
///  |              '--read in part--> known; the same, half a minute later at the earliest
///  '--recall--> known from memory, until it has been read
/// ```
///
/// Once it is closed nothing is read any more, nobody waits for what is being read, and nothing of it is told.
final class ServerCatalog {
    private static final System.Logger LOG = LazyLoggers.of(ServerCatalog.class);
    private static final Duration REST = Duration.ofSeconds(1);

    /// As long as a breaker rests.
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

    private final Platform platform;
    private final Supplier<CatalogFetcher.Listed> read;
    private final Consumer<CatalogContents> changed;
    private final Consumer<@Nullable CallFailure> ended;
    private volatile CatalogContents contents = CatalogContents.NOTHING;
    private volatile @Nullable CallFailure failure;
    private volatile Map<CatalogKind, String> failures = Map.of();

    /// Whether what is known is another server's.
    private volatile boolean isForeign;
    private volatile boolean known;
    private volatile boolean live;
    private volatile boolean behind;
    private volatile @Nullable Reading reading;
    private boolean hasWaitedInVain;
    private Runnable atRest = () -> {};
    private BooleanSupplier isAway = () -> false;
    private BooleanSupplier isDown = () -> false;

    /// Whether somebody wants the reading that is under way, connected or not.
    private boolean isNeeded;

    /// Whether the reading that is under way may start a server that is down.
    private volatile boolean mayStart;

    private boolean again;

    /// Whether a reading has ended, well or not.
    private boolean wasRead;

    /// Whether what is being read does not count, and is read once more even if nothing was ever known.
    private boolean anew;

    private volatile boolean closed;
    private boolean told;
    private boolean said;
    private long readAt;

    /// Whether a server is to come back by the next reading, which does not rest before that.
    private volatile boolean isDue;

    private volatile @Nullable Thread resting;

    /// A reading that is under way.
    ///
    /// @param begunAt by the monotonic clock
    /// @param isFirst whether nothing has been read before, and nothing was known
    record Reading(Promise<Boolean> done, long begunAt, boolean isFirst) {}

    /// @param read blocks for as long as the server takes
    /// @param changed is told after every reading that brought something else, with what there was before; must
    /// not
    ///     block
    /// @param ended is told after every reading why it failed, or null; must not block
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

    /// Has this told when nothing is being read any more; it must not block. To be called before the first
    /// reading.
    ServerCatalog atRest(Runnable action) {
        atRest = action;
        return this;
    }

    /// Whether the server was let go of because nobody needed it: it is not connected only to be read, as it is
    /// read with its next connection. To be called before the first reading.
    ServerCatalog sparing(BooleanSupplier away) {
        isAway = away;
        return this;
    }

    /// Whether the server has crashed and waits to be started again: it is not started only because it was to be
    /// read on the connection that it has lost. To be called before the first reading.
    ServerCatalog leaving(BooleanSupplier down) {
        isDown = down;
        return this;
    }

    /// Whether the reading that is under way is what the server is started for, or a client waits for it.
    boolean mayStart() {
        return mayStart;
    }

    /// What the server offers, as far as it is known.
    CatalogContents contents() {
        return contents;
    }

    /// Whether it has ever been read, or is remembered.
    boolean isKnown() {
        return known;
    }

    /// Whether the server has said it itself, and not only memory.
    boolean isLive() {
        return live;
    }

    /// What the server offered when it was last seen. Whoever sees it then has [#recalled] called.
    ///
    /// @return false if the server has said more by now
    synchronized boolean recall(CatalogContents remembered) {
        if (said || closed) {
            return false;
        }
        isForeign = false;
        contents = remembered;
        return true;
    }

    /// What is remembered can be seen by all: it is as if it had been read and told.
    synchronized void recalled() {
        told |= !said;
        known = true;
    }

    /// What the server offered when it was last read or seen; nothing if that was another server.
    CatalogContents last() {
        return isForeign ? CatalogContents.NOTHING : contents;
    }

    /// The lists that the last good reading did not get, with sentences that say why.
    Map<CatalogKind, String> failures() {
        return failures;
    }

    /// Why the last reading failed; null if it did not.
    @Nullable
    CallFailure failure() {
        return failure;
    }

    /// Somebody wants to know what the server offers. The reading that this needs; null if none is needed.
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

    /// The same for a call for which the cache is not good enough; null as well if another call has waited in vain
    /// on this connection.
    synchronized @Nullable Reading wantLive() {
        if (live || closed || hasWaitedInVain) {
            return null;
        }
        return needed();
    }

    /// A call has waited for the list, and it did not come in time: on this connection no other call waits for it.
    synchronized void waitedInVain() {
        hasWaitedInVain = true;
    }

    /// Whether the last reading failed, and began less than this ago.
    synchronized boolean failedWithin(Duration rest) {
        return reading == null && failure != null && platform.ticker().nanos() - readAt < rest.toNanos();
    }

    /// The server works: what could not be read while it did not is read now.
    void catchUp() {
        if (behind) {
            behind = false;
            stale();
        } else {
            askAgain();
        }
    }

    /// The server has gone: what it lists is read again when it works again.
    void fallBehind() {
        behind = known;
    }

    /// The server offers something else than before, perhaps.
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

    /// There has to be a connection.
    synchronized void refresh() {
        hasWaitedInVain = false;
        if (!closed) {
            needed();
        }
    }

    /// There is a new connection. If a reading is under way it may have opened it, and a server that exits after
    /// each list would be started for ever if that led to another.
    synchronized void reconnected() {
        hasWaitedInVain = false;
        if (!closed) {
            isNeeded = true;
            begun();
        }
    }

    /// The server is to be started, and that is what the next reading is for: nothing is won if it rests.
    synchronized void due() {
        isDue = true;
        LockSupport.unpark(resting);
        refresh();
    }

    /// The server is another process from now on, or is reached otherwise: what is being read does not count, and
    /// it is read once more, even if nobody has come to wait for it.
    synchronized void anew() {
        if (!closed) {
            anew = reading != null;
            failure = null;
            needed();
        }
    }

    /// What is known was another server's: it stays where it is until this one has said what it offers, or is
    /// remembered by it, and what this one says is told even if it is the same.
    synchronized void forget() {
        told = false;
        known = live;
        isForeign = true;
        failures = Map.of();
    }

    /// Whether nothing is being read.
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

    /// Nobody waits for what could not begin, and whoever comes next tries again.
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

    /// A server that changes all the time is read once a second.
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

    /// What has changed until now will be read now. Whether somebody needs that.
    private synchronized boolean upToDate() {
        isDue = false;
        again = false;
        boolean was = isNeeded;
        isNeeded = false;
        return was;
    }

    /// A bug costs one reading, and never those that come later.
    private void readOnce() {
        try {
            take(read.get());
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, "what a server offers could not be read, because of a bug", bug);
            failed(CallFailure.notSent(ErrorCode.INTERNAL, "what the server offers could not be read: " + bug));
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
                // Last: whoever sees that it is known finds all of it.
                live = true;
                known = true;
                ended.accept(null);
            }
        }
    }

    /// Once, until the list has been read again.
    private void warn(Map<CatalogKind, String> failed) {
        failed.forEach((kind, why) -> {
            if (!failures.containsKey(kind)) {
                LOG.log(Level.WARNING, why + "; the server is used without this list, which is asked for again later");
            }
        });
    }

    private synchronized boolean isOutdated() {
        return anew;
    }

    /// What there was before; null if what was read does not count any more.
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
        // Last: whoever sees why it failed finds it behind.
        failure = callFailure;
        ended.accept(callFailure);
    }

    /// Whether something has changed meanwhile. Nobody who waited for this reading waits for the next.
    private boolean ended() {
        Reading done;
        boolean goesOn;
        synchronized (this) {
            done = reading;
            wasRead = true;
            goesOn = (anew || (again && known)) && !closed;
            isNeeded = goesOn && (isNeeded || anew);
            mayStart = goesOn && anew;
            // What takes the place of a reading that does not count does not rest; what was due has been done.
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
