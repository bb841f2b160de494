package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** A clock that only the test moves, a wall clock that moves along, chance by hand, and waiting. Thread-safe. */
final class ManualTime {
    static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00.000400Z");
    private static final long BOUND_SECONDS = 20;

    private final Map<Thread, Long> deadlines = new HashMap<>();
    private final Semaphore parkings = new Semaphore(0);
    private final RandomGenerator random = () -> (long) (chance() * 0x1p53) << 11;
    private long nanos;
    private double chance;
    private Instant wall = BEGIN;

    ManualTime() {
        this(0);
    }

    ManualTime(long start) {
        this.nanos = start;
    }

    Surroundings surroundings() {
        return new Surroundings(this::nanos, this::instant, random, this::park);
    }

    synchronized long nanos() {
        return nanos;
    }

    synchronized Instant instant() {
        return wall;
    }

    synchronized double chance() {
        return chance;
    }

    /** What every random number between 0 and 1 is from now on. */
    synchronized void chance(double next) {
        chance = ((long) (next * 0x1p53)) * 0x1p-53;
    }

    void advance(Duration by) {
        advanceNanos(by.toNanos());
    }

    void advanceMillis(long millis) {
        advanceNanos(millis * 1_000_000);
    }

    synchronized void advanceNanos(long by) {
        nanos += by;
        wall = wall.plusNanos(by);
        deadlines.forEach((thread, deadline) -> {
            if (nanos - deadline >= 0) {
                LockSupport.unpark(thread);
            }
        });
    }

    /** Moves the wall clock alone, as an operator does who sets it. */
    synchronized void jumpWall(Duration by) {
        wall = wall.plus(by);
    }

    private void park(Object blocker, long limit) {
        synchronized (this) {
            deadlines.put(Thread.currentThread(), nanos + limit);
        }
        parkings.release();
        LockSupport.park(blocker);
        synchronized (this) {
            deadlines.remove(Thread.currentThread());
        }
    }

    /** Waits until so many threads more have begun to wait by this clock. */
    void awaitParkings(int threads) throws InterruptedException {
        assertThat(parkings.tryAcquire(threads, BOUND_SECONDS, TimeUnit.SECONDS))
                .as("threads that wait")
                .isTrue();
    }
}
