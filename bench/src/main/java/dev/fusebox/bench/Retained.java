package dev.fusebox.bench;

import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Permit;
import java.lang.management.ManagementFactory;
import java.util.List;

/// A measurement of the memory that breakers retain after many calls.
final class Retained {
    static final int FEW = 1_000;
    static final int MANY = 10_000_000;

    private Retained() {}

    /// Bytes by which the heap grows from the thousandth call to the ten-millionth, for four breakers together.
    static long bytes() {
        List<CircuitBreaker> breakers =
                List.of(Ours.consecutive(), Ours.window(), Ours.windowWithSlowCalls(), Ours.open());
        breakers.forEach(breaker -> use(breaker, FEW));
        long before = usedHeap();
        breakers.forEach(breaker -> use(breaker, MANY - FEW));
        long after = usedHeap();
        // They must be reachable until here, otherwise they are collected before the second measurement.
        breakers.forEach(CircuitBreaker::snapshot);
        return after - before;
    }

    /// One call in ten fails: that trips neither five in a row nor one half.
    private static void use(CircuitBreaker breaker, int calls) {
        for (int i = 0; i < calls; i++) {
            if (breaker.tryAcquire() instanceof Permit permit) {
                if (i % 10 == 9) {
                    permit.failed("offline");
                } else {
                    permit.succeeded();
                }
            }
        }
    }

    /// Three collections, because what the first one frees may free more.
    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
