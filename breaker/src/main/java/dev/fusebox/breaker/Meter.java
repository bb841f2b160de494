package dev.fusebox.breaker;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a phase that admits calls. Thread-safe; belongs to one phase and ends with it, so that a late call
 * changes only a meter that is no longer read.
 */
abstract class Meter {
    final StripedCounter successes = new StripedCounter();
    final LongAdder failures = new LongAdder();

    static Meter of(TripRule rule, Ticker ticker) {
        if (rule instanceof TripRule.SlidingWindow window) {
            return new WindowMeter(window, ticker);
        }
        if (rule instanceof TripRule.WindowOrStreak both) {
            return new WindowOrStreakMeter(both, ticker);
        }
        return new StreakMeter(((TripRule.Consecutive) rule).failureThreshold());
    }

    /** Counts a success that took {@code nanos} (0 where calls are not timed); a trip if it was slow and trips. */
    abstract @Nullable Trip success(long nanos);

    /** Counts a failure of this category that took {@code nanos} (0 where calls are not timed); a trip if it trips. */
    abstract @Nullable Trip failure(long nanos, String category);

    abstract Counts counts();
}
