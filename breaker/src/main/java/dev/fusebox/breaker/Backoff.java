package dev.fusebox.breaker;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The delays before retries. Immutable.
 *
 * @param waits before the first, the second ... retry; the last one is used for all that follow
 * @param leastShare each wait is multiplied by a random factor from this to 1, so that clients do not retry in step
 */
public record Backoff(List<Duration> waits, double leastShare) {
    public Backoff {
        waits = List.copyOf(waits);
        Rule.require(!waits.isEmpty(), "backoff", waits, "it needs at least one wait");
        waits.forEach(wait -> Rule.time("backoff", wait));
        Rule.between("leastShare", leastShare, 0, 1);
    }

    /** These waits, each multiplied by a random factor from 0.5 to 1.0. */
    public static Backoff of(Duration... waits) {
        return new Backoff(List.of(waits), 0.5);
    }

    /**
     * The wait before a retry.
     *
     * @param retry 1 for the first
     */
    public Duration before(int retry, RandomGenerator random) {
        Rule.count("retry", retry);
        Duration wait = waits.get(Math.min(retry, waits.size()) - 1);
        double share = leastShare + (1 - leastShare) * random.nextDouble();
        return Duration.ofNanos((long) (wait.toNanos() * share));
    }
}
