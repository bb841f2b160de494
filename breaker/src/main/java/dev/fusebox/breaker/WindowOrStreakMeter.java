package dev.fusebox.breaker;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The counter of a window and of the failure streaks of some categories. A success costs one more volatile read. */
final class WindowOrStreakMeter extends WindowMeter {
    private final TripRule.WindowOrStreak rule;
    /** By category; the map itself never changes. */
    private final Map<String, AtomicInteger> streaks = new HashMap<>();

    private volatile boolean hasStreak;

    WindowOrStreakMeter(TripRule.WindowOrStreak rule, Ticker ticker) {
        super(rule.window(), ticker);
        this.rule = rule;
        rule.streaks().keySet().forEach(category -> streaks.put(category, new AtomicInteger()));
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
        Integer threshold = rule.streaks().get(category);
        if (streak == null || threshold == null) {
            return ofWindow;
        }
        int inARow = streak.incrementAndGet();
        hasStreak = true;
        if (inARow < threshold) {
            return ofWindow;
        }
        Counts held = counts();
        boolean isProven = held.totalCalls() - held.failures() >= rule.window().minimumCalls();
        boolean isTooShort = isProven && inARow < rule.provenStreaks().getOrDefault(category, threshold);
        return isTooShort ? ofWindow : trip(inARow, held);
    }

    private static Trip trip(int inARow, Counts held) {
        Counts counts = new Counts(held.totalCalls(), held.failures(), held.slowCalls(), inARow);
        return new Trip(new Reason.ThresholdReached(inARow), counts);
    }
}
