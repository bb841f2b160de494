package dev.fusebox.breaker;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rule by which a closed breaker trips. Evaluated only when a failure or a slow call is recorded: a success never
 * trips.
 */
public sealed interface TripRule {

    /**
     * Trips on the n-th failure in a row; any success restarts the count. Immutable.
     *
     * @param failureThreshold n
     */
    record Consecutive(int failureThreshold) implements TripRule {
        public Consecutive {
            Rule.count("failureThreshold", failureThreshold);
        }
    }

    /**
     * Trips on the calls within the last {@code length}, once there are {@code minimumCalls}: on a number of failures,
     * a share of failures, or a share of slow calls, whichever is reached first. Immutable.
     *
     * <p>The window is a ring of ten buckets and moves in steps of a tenth of its length.
     *
     * @param length the length of the window
     * @param minimumCalls with fewer calls the breaker does not trip
     * @param failureThreshold the number of failures that trips; null if the number does not matter
     * @param failureRate the share of failures that trips, 0.5 is one half; null if the share does not matter
     * @param slowCalls the share of slow calls that trips; null if slow calls do not matter
     */
    record SlidingWindow(
            Duration length,
            int minimumCalls,
            @Nullable Integer failureThreshold,
            @Nullable Double failureRate,
            @Nullable SlowCalls slowCalls)
            implements TripRule {
        public SlidingWindow {
            Rule.time("window", length);
            Rule.require(length.toMillis() >= WindowMeter.BUCKETS, "window", length, "it must be at least 10 ms");
            Rule.minimum("minimumCalls", minimumCalls);
            if (failureThreshold != null) {
                Rule.count("failureThreshold", failureThreshold);
            }
            if (failureRate != null) {
                Rule.share("failureRate", failureRate);
            }
            Rule.require(
                    failureThreshold != null || failureRate != null || slowCalls != null,
                    "failureThreshold",
                    "missing",
                    "a window without failureThreshold, failureRate and slowCalls would never trip");
        }

        /** A window that trips on a number of failures. */
        public static SlidingWindow of(Duration length, int minimumCalls, int failureThreshold) {
            return new SlidingWindow(length, minimumCalls, failureThreshold, null, null);
        }

        /** A window that trips on a share of failures. */
        public static SlidingWindow ofRate(Duration length, int minimumCalls, double failureRate) {
            return new SlidingWindow(length, minimumCalls, null, failureRate, null);
        }

        /** The same window, which also trips on a share of failures. */
        public SlidingWindow orFailureRate(double rate) {
            return new SlidingWindow(length, minimumCalls, failureThreshold, rate, slowCalls);
        }

        /** The same window, which also trips when a share of the calls takes longer than a time. */
        public SlidingWindow orSlowCalls(Duration longerThan, double rate) {
            return new SlidingWindow(
                    length, minimumCalls, failureThreshold, failureRate, new SlowCalls(longerThan, rate));
        }
    }

    /**
     * Trips like a window, or on the n-th failure of one category in a row, whichever is reached first. A success ends
     * every streak; a failure of another category ends none. Immutable.
     *
     * @param window the window
     * @param streaks the number of failures in a row that trips, by category; other categories have no streak
     * @param provenStreaks the same number, by category, while the window holds at least its {@code minimumCalls}
     *     successes; for other categories the number does not change. With many calls, a few failures in a row happen
     *     by chance
     */
    record WindowOrStreak(SlidingWindow window, Map<String, Integer> streaks, Map<String, Integer> provenStreaks)
            implements TripRule {
        public WindowOrStreak {
            Objects.requireNonNull(window, "window");
            streaks = Map.copyOf(streaks);
            provenStreaks = Map.copyOf(provenStreaks);
            streaks.forEach((category, failures) -> Rule.count("streak of " + category, failures));
            for (Map.Entry<String, Integer> proven : provenStreaks.entrySet()) {
                Integer usual = streaks.get(proven.getKey());
                Rule.require(
                        usual != null && proven.getValue() >= usual,
                        "provenStreaks",
                        proven,
                        "a category needs a streak in streaks that is not longer than this one");
            }
        }

        /** The same numbers regardless of earlier successes. */
        public WindowOrStreak(SlidingWindow window, Map<String, Integer> streaks) {
            this(window, streaks, Map.of());
        }
    }

    /**
     * The definition of a slow call, and the share of slow calls that trips. Immutable.
     *
     * @param longerThan a call that takes longer is slow, whether it succeeds or fails
     * @param rate the share of slow calls that trips
     */
    record SlowCalls(Duration longerThan, double rate) {
        public SlowCalls {
            Rule.time("slowCall", longerThan);
            Rule.share("slowCallRate", rate);
        }
    }
}
