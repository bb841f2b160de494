package dev.fusebox.gateway.pool;

import java.util.concurrent.atomic.LongAdder;

/// The counters of a pool. Thread-safe; nothing blocks.
final class PoolCounts {
    private final LongAdder evicted = new LongAdder();
    private final LongAdder expired = new LongAdder();
    private final LongAdder reserved = new LongAdder();
    private final LongAdder refused = new LongAdder();

    void add(PoolSlots.Step step) {
        evicted.add(step.evicted().size() + (long) step.abandoned().size());
        expired.add(step.expired().size());
        reserved.add(step.reserved());
    }

    void refused() {
        refused.increment();
    }

    PoolSnapshot.Totals totals() {
        return new PoolSnapshot.Totals(evicted.sum(), expired.sum(), reserved.sum(), refused.sum());
    }
}
