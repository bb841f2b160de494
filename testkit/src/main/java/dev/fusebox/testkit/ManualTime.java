package dev.fusebox.testkit;

import dev.fusebox.platform.PeerUsers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Processes;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A monotonic clock, a wall clock and timers that change only when a test moves them.
///
/// Thread-safe. A move runs the actions that fall due on the moving thread, in the order of their times, ties in
/// the order of registration, each at its own time, outside of any lock. Blocking methods: [#awaitPending], and
/// the `park` of [#platform()], which ends when another thread moves the time far enough.
///
/// ```java
/// var time = new ManualTime();
/// var breaker = new Something(time.platform());
/// time.advance(Duration.ofSeconds(30));
/// ```
public final class ManualTime {
    /// Stops an action that schedules itself again without delay, which would never end.
    private static final int MAX_ACTIONS_A_MOVE = 1_000_000;

    /// Enough for a thread to reach its wait on a loaded machine.
    private static final Duration PENDING_LIMIT = Duration.ofSeconds(20);

    private final TimerQueue queue = new TimerQueue();
    private final List<Thread> watchers = new CopyOnWriteArrayList<>();
    private final Platform platform;
    private long now;
    private Instant wallClock = Instant.parse("2026-01-01T00:00:00Z");
    private boolean moving;

    /// Starts at zero.
    public ManualTime() {
        this(0);
    }

    private ManualTime(long nanos) {
        now = nanos;
        InstantSource wall = this::instant;
        platform = new Platform(
                this::nanos, wall, steadyRandom(), new QueuedTimers(), Map.of(), Processes.none(), PeerUsers.unknown());
    }

    /// Starts at any value of the monotonic clock, for example just below `Long.MAX_VALUE`, where it wraps around.
    public static ManualTime startingAt(long nanos) {
        return new ManualTime(nanos);
    }

    /// A platform with this time, an empty environment, and the same random numbers in every test.
    public Platform platform() {
        return platform;
    }

    /// The monotonic clock.
    public synchronized long nanos() {
        return now;
    }

    /// The wall clock. It moves along with the monotonic one, from the first of January 2026.
    public synchronized Instant instant() {
        return wallClock;
    }

    /// Makes the wall clock jump, as an administrator or a time server does; the monotonic clock is not changed.
    public synchronized void setWallClock(Instant instant) {
        wallClock = instant;
    }

    /// The number of timers and bounded waits that have not ended.
    public synchronized int pending() {
        return queue.size();
    }

    /// Blocks until at least that many timers and bounded waits are registered, so that other threads have reached
    /// the expected point. Throws after 20 seconds of real time.
    public void awaitPending(int atLeast) throws InterruptedException {
        watchers.add(Thread.currentThread());
        try {
            if (!Platform.system().await(PENDING_LIMIT, () -> pending() >= atLeast)) {
                throw new IllegalStateException("waited " + PENDING_LIMIT + " for " + atLeast + " timers, there are "
                        + pending() + "; does the other thread wait through Platform?");
            }
        } finally {
            watchers.remove(Thread.currentThread());
        }
    }

    /// Moves both clocks forward and runs the actions that fall due on the way, including those scheduled
    /// meanwhile.
    ///
    /// If actions throw, the others still run and the time is still moved; then the first throwable is thrown,
    /// with the later ones as suppressed.
    public void advance(Duration by) {
        if (by.isNegative() || by.compareTo(Duration.ofNanos(TimerQueue.LONGEST_NANOS)) > 0) {
            throw new IllegalArgumentException("the time can be moved by 0 to 73 years, not by " + by);
        }
        moveTo(startMove() + by.toNanos());
    }

    /// Moves to the time of the next timer and runs all actions that are due then; returns false if there is none.
    public boolean advanceToNextTimer() {
        long start = startMove();
        var next = first();
        moveTo(next == null ? start : next.due());
        return next != null;
    }

    private synchronized long startMove() {
        if (moving) {
            throw new IllegalStateException("the time is already being moved, by another thread or by an action");
        }
        moving = true;
        return now;
    }

    private void moveTo(long target) {
        var failures = new Failures();
        try {
            for (int ran = 0; ; ran++) {
                Runnable action = takeDue(target);
                if (action == null) {
                    break;
                }
                if (ran == MAX_ACTIONS_A_MOVE) {
                    throw new IllegalStateException(
                            ran + " actions ran in one move; one of them reschedules itself endlessly");
                }
                failures.collect(action);
            }
        } finally {
            endMove(target);
        }
        failures.throwFirst();
    }

    private synchronized void endMove(long target) {
        setNow(target);
        moving = false;
    }

    private synchronized TimerQueue.@Nullable Entry first() {
        return queue.first();
    }

    private synchronized @Nullable Runnable takeDue(long target) {
        var entry = queue.takeDue(target);
        if (entry == null) {
            return null;
        }
        setNow(entry.due());
        return entry.action();
    }

    private void setNow(long nanos) {
        wallClock = wallClock.plusNanos(nanos - now);
        now = nanos;
    }

    private synchronized TimerQueue.Entry register(Duration delay, Runnable action) {
        return queue.add(now, delay, action);
    }

    private synchronized boolean remove(TimerQueue.Entry entry) {
        return queue.remove(entry);
    }

    private static RandomGenerator steadyRandom() {
        var random = new SplittableRandom(0);
        return () -> {
            synchronized (random) {
                return random.nextLong();
            }
        };
    }

    /// The exceptions of the actions of one move.
    private static final class Failures {
        private @Nullable Throwable first;

        void collect(Runnable action) {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                add(e);
            }
        }

        private void add(Throwable thrown) {
            if (first == null) {
                first = thrown;
            } else if (!first.equals(thrown)) {
                first.addSuppressed(thrown);
            }
        }

        void throwFirst() {
            switch (first) {
                case null -> {}
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case Throwable e -> throw new AssertionError(e);
            }
        }
    }

    private final class QueuedTimers implements Timers {
        @Override
        public void park(long nanos) {
            if (nanos <= 0) {
                return;
            }
            Thread waiting = Thread.currentThread();
            Timer timer = schedule(Duration.ofNanos(nanos), () -> LockSupport.unpark(waiting));
            LockSupport.park(this);
            timer.cancel();
        }

        @Override
        public Timer schedule(Duration delay, Runnable action) {
            var entry = register(delay, action);
            watchers.forEach(LockSupport::unpark);
            return () -> remove(entry);
        }
    }
}
