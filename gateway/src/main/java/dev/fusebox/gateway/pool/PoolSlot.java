package dev.fusebox.gateway.pool;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// The slot of one connection, and its state. Thread-safe and lock-free; nothing blocks: a call enters and
/// leaves with one compare-and-set, and so does the decision to close.
///
/// ```
/// connecting --begun--> idle <--enter, leave--> active
///      |                  |                        |
///      '--lost--> failed -+--> closed <------------'
/// ```
final class PoolSlot {
    private static final int BEGUN = 1 << 28;
    private static final int LOST = 1 << 29;
    private static final int CLOSED = 1 << 30;
    /// Set with [#CLOSED]: the connection was idle when it was closed, and a call that comes now takes another.
    private static final int WITHDRAWN = 1 << 27;

    private static final int CALLS = WITHDRAWN - 1;

    /// For this long a new connection is reserved for its first caller and not evicted, unless it fails.
    private static final long FRESH = Duration.ofSeconds(1).toNanos();

    /// A connection may be evicted after it has been unused for as long as its start took: queuing callers is
    /// better than a start for each call. Within these bounds.
    private static final long LEAST_REST = Duration.ofMillis(500).toNanos();

    private static final long MAX_REST = Duration.ofSeconds(5).toNanos();

    private final Borrower borrower;
    private final Priority priority;
    private final AtomicInteger state = new AtomicInteger();
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicLong usedAt;
    private final long since;
    private volatile boolean used;

    /// Whether its session has used it, so that the process may hold state of the session.
    private volatile boolean holdsState;

    /// How long it must be unused before it may be evicted for another server.
    private volatile long rest = LEAST_REST;

    /// @param now by the monotonic clock
    PoolSlot(Borrower borrower, Priority priority, long now) {
        this.borrower = borrower;
        this.priority = priority;
        this.since = now;
        this.usedAt = new AtomicLong(now);
    }

    Borrower borrower() {
        return borrower;
    }

    ConnectionState state() {
        return read(state.get());
    }

    private static ConnectionState read(int state) {
        if ((state & CLOSED) != 0) {
            return ConnectionState.CLOSED;
        }
        if ((state & LOST) != 0) {
            return ConnectionState.FAILED;
        }
        if ((state & BEGUN) == 0) {
            return ConnectionState.CONNECTING;
        }
        return (state & CALLS) == 0 ? ConnectionState.IDLE : ConnectionState.ACTIVE;
    }

    /// Applies a change, which must be an allowed transition.
    private int change(IntUnaryOperator change) {
        int before;
        int after;
        do {
            before = state.get();
            after = change.applyAsInt(before);
            ConnectionState from = read(before);
            ConnectionState to = read(after);
            if (from != to && !from.canBecome(to)) {
                throw new IllegalStateException("a connection that is " + from + " may not become " + to);
            }
        } while (!state.compareAndSet(before, after));
        return before;
    }

    /// Opens the slot for calls.
    ///
    /// @param now by the monotonic clock
    void begin(long now) {
        usedAt.set(now);
        rest = Math.clamp(now - since, LEAST_REST, MAX_REST);
        change(before -> isOver(before) ? before : before | BEGUN);
    }

    /// Adds a call; false if the slot is closed. After true the caller must call [#leave].
    boolean enter() {
        return !isOver(change(now -> isOver(now) ? now : now + 1));
    }

    private static boolean isOver(int state) {
        return (state & (CLOSED | LOST)) != 0;
    }

    /// Notes a call on the connection; returns whether this protects it from eviction.
    ///
    /// @param now by the monotonic clock
    /// @param leavesState whether the process may hold state of its session after that
    boolean use(long now, boolean leavesState) {
        usedAt.set(now);
        boolean isFirst = leavesState && !holdsState;
        holdsState |= leavesState;
        return isFirst && isProtected();
    }

    /// Removes a call; returns whether it was the last.
    boolean leave() {
        used = true;
        return (change(PoolSlot::oneLess) & CALLS) == 1;
    }

    private static int oneLess(int state) {
        if ((state & CALLS) == 0) {
            throw new IllegalStateException("there is no call that could leave a connection that is " + read(state));
        }
        return state - 1;
    }

    /// Begins a request that does not count as work, such as a ping; meanwhile only its own server may close
    /// the connection.
    void ask() {
        questions.incrementAndGet();
    }

    void asked() {
        questions.decrementAndGet();
    }

    /// Notes that the connection was lost. An idle one counts as closed, not as failed.
    void lose() {
        change(now -> {
            boolean isIdle = read(now) == ConnectionState.IDLE;
            return isOver(now) ? now : now | (isIdle ? CLOSED : LOST);
        });
    }

    /// Rejects new calls; calls in flight continue.
    void close() {
        change(now -> now | CLOSED);
    }

    /// Refuses new calls if none is in flight; false if one is.
    boolean tryClose() {
        int now = state.get();
        return read(now) == ConnectionState.IDLE && state.compareAndSet(now, now | CLOSED | WITHDRAWN);
    }

    boolean isWithdrawn() {
        return (state.get() & WITHDRAWN) != 0;
    }

    /// Whether its connection is open and neither used nor about to be. A caller that is about to use a spare
    /// one can take another connection if it is gone.
    ///
    /// @param now by the monotonic clock
    boolean isIdle(long now) {
        boolean isWanted = priority == Priority.NEEDED && borrower.isWanted();
        return isFree() && freshFor(now) == 0 && questions.get() == 0 && !isWanted;
    }

    /// How long its connection may be idle; null for no limit. A spare connection is kept no longer than usual,
    /// regardless of the configuration of its server.
    ///
    /// @param usual the limit of the pool
    @Nullable
    Duration limit(Duration usual) {
        boolean isKept = priority == Priority.SPARE && !borrower.idlePolicy().givesWay();
        if (isProtected()) {
            return borrower.idlePolicy().limitOfSession(usual);
        }
        return isKept ? usual : borrower.idlePolicy().limit(usual);
    }

    /// Whether it belongs to a session that has used it: no other server or session can then get its place.
    boolean isProtected() {
        return holdsState && borrower.isOwned();
    }

    /// Whether it can be evicted for others.
    boolean givesWay() {
        return !isProtected() && isDispensable();
    }

    private boolean isDispensable() {
        return priority == Priority.SPARE || borrower.idlePolicy().givesWay();
    }

    /// Remaining nanoseconds for which it is reserved for its first caller.
    long freshFor(long now) {
        return used ? 0 : Math.max(0, FRESH - (now - usedAt()));
    }

    /// Remaining nanoseconds for which it must be unused before it may be evicted for another server.
    long restsFor(long now) {
        return Math.max(0, rest - (now - usedAt()));
    }

    /// Whether it is open and no call is in flight on it.
    boolean isFree() {
        return state() == ConnectionState.IDLE;
    }

    boolean isOver() {
        return isOver(state.get());
    }

    /// Time of the last use, by the monotonic clock.
    long usedAt() {
        return usedAt.get();
    }
}
