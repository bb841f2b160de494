package dev.fusebox.breaker;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** When a closed breaker trips. Judged only when a failure or a slow call is recorded: a success never trips. */
public sealed interface TripRule {

    /**
     * Trips on the n-th failure in a row; any success starts the count anew. Immutable.
     *
     * @param failureThreshold n
     */
    record Consecutive(int failureThreshold) implements TripRule {
        public Consecutive {
            Rule.count("failureThreshold", failureThreshold);
        }
    }

    /**
     * Trips on what the last {@code length} of time holds, once it holds {@code minimumCalls}: on a number of failures,
     * a share of failures, or a share of slow calls, whichever is reached first. Immutable.
     *
     * <p>The window is a ring of ten buckets: it forgets in steps of a tenth of its length.
     *
     * @param length how far back the window reaches
     * @param minimumCalls with fewer calls nothing is judged
     * @param failureThreshold so many failures trip; null: the number of failures does not matter
     * @param failureRate such a share of failures trips, 0.5 is one half; null: the share does not matter
     * @param slowCalls such a share of slow calls trips; null: slow calls are not looked at
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
     * Trips as a window does, or on the n-th failure of one category in a row, whichever is reached first. A success
     * ends every streak; a failure of another category ends none. Immutable.
     *
     * @param window the window that trips as well
     * @param streaks how many failures in a row trip, by category; other categories have no streak
     * @param provenStreaks how many it takes, by category, while the window holds at least its {@code minimumCalls}
     *     successes; other categories need the same number then. With many calls, a few failures in a row happen by
     *     chance
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

        /** The same numbers whether or not calls have succeeded. */
        public WindowOrStreak(SlidingWindow window, Map<String, Integer> streaks) {
            this(window, streaks, Map.of());
        }
    }

    /**
     * What counts as a slow call, and which share of them is too much. Immutable.
     *
     * @param longerThan a call that takes longer is slow, whether it succeeds or fails
     * @param rate such a share of slow calls trips
     */
    record SlowCalls(Duration longerThan, double rate) {
        public SlowCalls {
            Rule.time("slowCall", longerThan);
            Rule.share("slowCallRate", rate);
        }
    }
}
