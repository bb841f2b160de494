package dev.fusebox.breaker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A counter that many threads can increment without contention. Thread-safe.
 *
 * <p>It replaces {@link java.util.concurrent.atomic.LongAdder} for counts of every call. That class reads and then
 * compares-and-sets, which wait for each other; a single unconditional addition does not. The cost is that all stripes
 * are allocated from the start.
 */
final class StripedCounter {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** Cells of eight bytes from one stripe to the next: two cache lines, because processors fetch them in pairs. */
    private static final int STRIDE = 16;

    /** Twice the processors, so that two busy threads rarely share a stripe, up to 8, which take 1 KiB. */
    private static final int STRIPES =
            Math.min(8, Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors() - 1));

    /** One stripe more than is used: the array's own header, which every increment reads, is far from the first. */
    private final long[] cells = new long[(STRIPES + 1) * STRIDE];

    void increment() {
        // Threads that are started one after the other, like those of a pool, have consecutive numbers.
        int stripe = 1 + ((int) Thread.currentThread().getId() & (STRIPES - 1));
        CELL.getAndAdd(cells, stripe * STRIDE, 1L);
    }

    /** The count; concurrent increments may be missing. */
    long sum() {
        long sum = 0;
        for (int stripe = 1; stripe <= STRIPES; stripe++) {
            sum += (long) CELL.getVolatile(cells, stripe * STRIDE);
        }
        return sum;
    }
}
