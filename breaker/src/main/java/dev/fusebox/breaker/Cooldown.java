package dev.fusebox.breaker;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The time that a breaker stays open. Immutable.
 *
 * <p>The n-th trip in a row waits {@code min(base * growth^(n-1), max)}, so that a long outage is probed less and less
 * often. From the second trip in a row on, a random share is added, so that many breakers do not probe at the same
 * moment. The count is reset once the breaker has stayed closed for {@code max}.
 *
 * @param base the first cooldown
 * @param growth the factor from one trip to the next; 1 keeps the cooldown fixed
 * @param max the longest cooldown
 * @param jitter the largest random share that is added: 0.1 is up to a tenth
 */
public record Cooldown(Duration base, double growth, Duration max, double jitter) {
    private static final Duration USUAL_MAX = Duration.ofMinutes(5);

    public Cooldown {
        Rule.time("cooldown", base);
        Rule.between("cooldownGrowth", growth, 1, 100);
        Rule.time("maxCooldown", max);
        Rule.require(max.compareTo(base) >= 0, "maxCooldown", max, "it must not be shorter than cooldown, " + base);
        Rule.between("jitter", jitter, 0, 1);
    }

    /** Doubles up to five minutes (or up to {@code base}, if that is longer), with up to a tenth of jitter. */
    public static Cooldown growing(Duration base) {
        return new Cooldown(base, 2, base.compareTo(USUAL_MAX) > 0 ? base : USUAL_MAX, 0.1);
    }

    /** The same cooldown after every trip. */
    public static Cooldown fixed(Duration base) {
        return new Cooldown(base, 1, base, 0);
    }

    /** Nanoseconds to wait after the n-th trip in a row. */
    long nanosAfter(int tripsInARow, RandomGenerator random) {
        if (tripsInARow == 1) {
            return base.toNanos();
        }
        double grown = Math.min(base.toNanos() * Math.pow(growth, tripsInARow - 1), (double) max.toNanos());
        return (long) (grown * (1 + jitter * random.nextDouble()));
    }
}
