package dev.fusebox.testkit;

import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The clocks and timers of one simulation. Not thread-safe: only the simulation's own threads may use it, and one
/// of them runs at a time.
final class SimulatedTime implements Timers {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final long TEN_SECONDS = 10_000_000_000L;

    private final TimerQueue queue = new TimerQueue();
    private final Runnable requireMember;
    private final long start;
    private long now;

    /// @param requireMember throws if the calling thread does not belong to the simulation
    SimulatedTime(SplittableRandom random, Runnable requireMember) {
        this.requireMember = requireMember;
        this.start = origin(random);
        this.now = start;
    }

    /// Clocks start at zero, just before they wrap around, just below zero, or anywhere: code must not depend on
    /// it.
    private static long origin(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> Long.MAX_VALUE - random.nextLong(TEN_SECONDS);
            case 2 -> -random.nextLong(TEN_SECONDS);
            default -> random.nextLong();
        };
    }

    long nanos() {
        return now;
    }

    long elapsed() {
        return now - start;
    }

    Instant instant() {
        return START.plusNanos(elapsed());
    }

    @Override
    public void park(long nanos) {
        requireMember.run();
        if (nanos <= 0) {
            return;
        }
        Thread waiting = Thread.currentThread();
        var entry = queue.add(now, nanos, () -> LockSupport.unpark(waiting));
        LockSupport.park(this);
        queue.remove(entry);
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        requireMember.run();
        var entry = queue.add(now, delay, action);
        return () -> queue.remove(entry);
    }

    boolean isDue() {
        var first = queue.first();
        return first != null && first.due() - now <= 0;
    }

    TimerQueue.@Nullable Entry takeDue() {
        return queue.takeDue(now);
    }

    /// Moves the time to the next timer; returns false if there is none.
    boolean moveToNext() {
        var first = queue.first();
        if (first == null) {
            return false;
        }
        now = first.due();
        return true;
    }
}
