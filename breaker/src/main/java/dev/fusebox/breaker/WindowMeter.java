package dev.fusebox.breaker;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The counter of a time window, in a ring of ten buckets.
 *
 * <p>There are only running totals, and each bucket records the totals at its start. The counts of the window are the
 * current totals minus those recorded by its oldest bucket. So a success costs a clock reading and one striped
 * addition, moving the window costs one record per bucket, and memory is the same after ten calls and after ten
 * million.
 */
class WindowMeter extends Meter {
    static final int BUCKETS = 10;

    private final TripRule.SlidingWindow rule;
    private final Ticker ticker;
    private final long bucketNanos;
    private final long slowNanos;
    private final LongAdder slow = new LongAdder();

    /** When the youngest bucket ends; moved under this object's monitor. */
    private volatile long bucketEnd;

    private final long[] successesAt = new long[BUCKETS];
    private final long[] failuresAt = new long[BUCKETS];
    private final long[] slowAt = new long[BUCKETS];
    private int youngest;

    WindowMeter(TripRule.SlidingWindow rule, Ticker ticker) {
        this.rule = rule;
        this.ticker = ticker;
        this.bucketNanos = rule.length().toNanos() / BUCKETS;
        this.slowNanos = rule.slowCalls() == null
                ? Long.MAX_VALUE
                : rule.slowCalls().longerThan().toNanos();
        this.bucketEnd = ticker.nanos() + bucketNanos;
    }

    @Override
    @Nullable
    Trip success(long nanos) {
        moveTo(ticker.nanos());
        successes.increment();
        return nanos > slowNanos ? slowSuccess() : null;
    }

    private @Nullable Trip slowSuccess() {
        slow.increment();
        return judge();
    }

    @Override
    @Nullable
    Trip failure(long nanos, String category) {
        moveTo(ticker.nanos());
        failures.increment();
        if (nanos > slowNanos) {
            slow.increment();
        }
        return judge();
    }

    private @Nullable Trip judge() {
        Counts counts = countsNow();
        Reason reason = counts.totalCalls() < rule.minimumCalls() ? null : reason(counts);
        return reason == null ? null : new Trip(reason, counts);
    }

    private @Nullable Reason reason(Counts counts) {
        if (rule.failureThreshold() != null && counts.failures() >= rule.failureThreshold()) {
            return new Reason.ThresholdReached(counts.failures());
        }
        if (rule.failureRate() != null && counts.failureRate() >= rule.failureRate()) {
            return new Reason.FailureRateReached(counts.failureRate(), counts.totalCalls());
        }
        if (rule.slowCalls() != null
                && counts.slowCallRate() >= rule.slowCalls().rate()) {
            return new Reason.SlowCallRateReached(counts.slowCallRate(), counts.totalCalls());
        }
        return null;
    }

    @Override
    final Counts counts() {
        moveTo(ticker.nanos());
        return countsNow();
    }

    private synchronized Counts countsNow() {
        int oldest = (youngest + 1) % BUCKETS;
        long failed = failures.sum() - failuresAt[oldest];
        long calls = successes.sum() - successesAt[oldest] + failed;
        return new Counts(calls, failed, slow.sum() - slowAt[oldest], failed);
    }

    private void moveTo(long now) {
        if (now - bucketEnd >= 0) {
            beginBuckets(now);
        }
    }

    private synchronized void beginBuckets(long now) {
        long late = now - bucketEnd;
        if (late < 0) {
            return;
        }
        long begun = late / bucketNanos + 1;
        for (long i = Math.min(begun, BUCKETS); i > 0; i--) {
            youngest = (youngest + 1) % BUCKETS;
            successesAt[youngest] = successes.sum();
            failuresAt[youngest] = failures.sum();
            slowAt[youngest] = slow.sum();
        }
        bucketEnd += begun * bucketNanos;
    }
}
