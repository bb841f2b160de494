package dev.fusebox.breaker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A random history that can be played again and again. Immutable.
 *
 * @param seed what it was made from
 * @param start the reading of the monotonic clock at the start
 * @param tellsCalls somebody listens to every call, so that calls are timed
 * @param readsAlways the snapshot is read after every step, not only where the history says so
 */
record Script(long seed, BreakerPolicy policy, long start, boolean tellsCalls, boolean readsAlways, List<Op> steps) {
    static final BreakerName NAME = new BreakerName("model", "tool");

    static Script random(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        int length = 20 + random.nextInt(300);
        return new Script(
                seed,
                policy(random),
                start(random),
                random.nextBoolean(),
                random.nextBoolean(),
                Stream.generate(() -> Op.random(random)).limit(length).toList());
    }

    Script with(List<Op> fewer) {
        return new Script(seed, policy, start, tellsCalls, readsAlways, fewer);
    }

    /** The clock wraps around while half of the histories run. */
    private static long start(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> -random.nextLong(1_000_000_000_000_000L);
            default -> Long.MAX_VALUE - random.nextLong(100_000_000_000L);
        };
    }

    static BreakerPolicy policy(RandomGenerator random) {
        Duration base = Duration.ofNanos(time(random));
        Duration max = Duration.ofNanos((long) (base.toNanos() * pick(random, 1, 1.5, 4, 100)));
        return new BreakerPolicy(
                tripRule(random),
                new Cooldown(base, pick(random, 1, 1.5, 2, 3), max, pick(random, 0, 0.1, 1)),
                new HalfOpen(1 + random.nextInt(4), 1 + random.nextInt(4), random.nextInt(4)),
                Duration.ofNanos(time(random)));
    }

    private static TripRule tripRule(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> new TripRule.Consecutive(1 + random.nextInt(6));
            case 1 -> {
                int usual = 1 + random.nextInt(4);
                yield new TripRule.WindowOrStreak(
                        window(random),
                        Map.of("category 0", usual, "category 1", 1 + random.nextInt(4)),
                        random.nextBoolean() ? Map.of() : Map.of("category 0", usual + random.nextInt(4)));
            }
            default -> window(random);
        };
    }

    private static TripRule.SlidingWindow window(RandomGenerator random) {
        TripRule.SlowCalls slow = random.nextInt(3) != 0
                ? null
                : new TripRule.SlowCalls(Duration.ofNanos(time(random)), pick(random, 0.01, 0.3, 0.5, 1));
        Double rate = random.nextInt(3) != 0 ? null : pick(random, 0.01, 0.3, 0.5, 1);
        boolean needed = slow == null && rate == null;
        @Nullable Integer threshold = needed || random.nextBoolean() ? 1 + random.nextInt(6) : null;
        Duration length = Duration.ofNanos(9_999_999 + time(random));
        return new TripRule.SlidingWindow(length, 1 + random.nextInt(8), threshold, rate, slow);
    }

    private static double pick(RandomGenerator random, double... from) {
        return from[random.nextInt(from.length)];
    }

    /** From 1 ms to about 17 minutes, all sizes alike, rarely a round number. */
    private static long time(RandomGenerator random) {
        return 1_000_000 + (long) Math.pow(10, random.nextDouble() * 12);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("seed " + seed + ", " + policy + ", clock starts at " + start
                + ", calls are " + (tellsCalls ? "" : "not ") + "told, read "
                + (readsAlways ? "after every step" : "where it says so"));
        for (int i = 0; i < steps.size(); i++) {
            text.append(System.lineSeparator()).append(i + 1).append(". ").append(steps.get(i));
        }
        return text.toString();
    }
}
