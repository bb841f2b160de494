package dev.fusebox.breaker;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A counter that many threads can increment without meeting. Thread-safe.
 *
 * <p>It takes the place of {@link java.util.concurrent.atomic.LongAdder} where every call counts: that one reads and
 * then compares-and-sets, and the two wait for each other; the one unconditional addition here costs about half. The
 * price is that the stripes are there from the beginning.
 */
final class StripedCounter {
    /** Cells of eight bytes from one stripe to the next: two cache lines, because processors fetch them in pairs. */
    private static final int STRIDE = 16;

    /** Twice the processors, so that two busy threads rarely share a stripe; 32 stripes take 4 KiB. */
    private static final int STRIPES =
            Math.min(32, Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors() - 1));

    private final AtomicLongArray cells = new AtomicLongArray(STRIPES * STRIDE);

    void increment() {
        // Threads that are started one after the other, as those of a pool are, have numbers in a row.
        int stripe = (int) Thread.currentThread().getId() & (STRIPES - 1);
        cells.getAndIncrement(stripe * STRIDE);
    }

    /** The count; increments that happen meanwhile may be missing. */
    long sum() {
        long sum = 0;
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            sum += cells.get(stripe * STRIDE);
        }
        return sum;
    }
}
