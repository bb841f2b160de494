package dev.fusebox.breaker;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts a window, and the streaks of failures of some categories. A success costs one volatile read more. */
final class WindowOrStreakMeter extends WindowMeter {
    private final Map<String, Integer> thresholds;
    /** By category; the map itself never changes. */
    private final Map<String, AtomicInteger> streaks = new HashMap<>();

    private volatile boolean hasStreak;

    WindowOrStreakMeter(TripRule.WindowOrStreak rule, Ticker ticker) {
        super(rule.window(), ticker);
        this.thresholds = rule.streaks();
        thresholds.keySet().forEach(category -> streaks.put(category, new AtomicInteger()));
    }

    @Override
    @Nullable
    Trip success(long nanos) {
        if (hasStreak) {
            hasStreak = false;
            streaks.values().forEach(streak -> streak.set(0));
        }
        return super.success(nanos);
    }

    @Override
    @Nullable
    Trip failure(long nanos, String category) {
        Trip ofWindow = super.failure(nanos, category);
        AtomicInteger streak = streaks.get(category);
        Integer threshold = thresholds.get(category);
        if (streak == null || threshold == null) {
            return ofWindow;
        }
        int inARow = streak.incrementAndGet();
        hasStreak = true;
        return inARow >= threshold ? trip(inARow) : ofWindow;
    }

    private Trip trip(int inARow) {
        Counts held = counts();
        Counts counts = new Counts(held.totalCalls(), held.failures(), held.slowCalls(), inARow);
        return new Trip(new Reason.ThresholdReached(inARow), counts);
    }
}
