package dev.fusebox.breaker;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts failures in a row. A success costs one striped addition and a read. */
final class StreakMeter extends Meter {
    private final int failureThreshold;
    private final AtomicInteger streak = new AtomicInteger();

    StreakMeter(int failureThreshold) {
        this.failureThreshold = failureThreshold;
    }

    @Override
    @Nullable
    Trip success(long nanos) {
        successes.increment();
        if (streak.get() != 0) {
            streak.set(0);
        }
        return null;
    }

    @Override
    @Nullable
    Trip failure(long nanos, String category) {
        failures.increment();
        int inARow = streak.incrementAndGet();
        return inARow >= failureThreshold ? new Trip(new Reason.ThresholdReached(inARow), counts(inARow)) : null;
    }

    @Override
    Counts counts() {
        return counts(streak.get());
    }

    private Counts counts(int inARow) {
        long failed = failures.sum();
        return new Counts(successes.sum() + failed, failed, 0, inARow);
    }
}
