package dev.fusebox.breaker;

import java.time.Duration;
import java.util.Objects;

/**
 * When a breaker trips, how long it stays open, and what closes it. Immutable and always valid.
 *
 * <pre>{@code
 * BreakerPolicy.defaults()
 *         .with(TripRule.SlidingWindow.of(Duration.ofMinutes(5), 10, 5))
 *         .with(Cooldown.fixed(Duration.ofSeconds(60)));
 * }</pre>
 *
 * @param tripRule when it trips
 * @param cooldown how long it stays open
 * @param halfOpen what closes it again
 * @param callTimeout how long a call may take; the lease of a probe is this and three seconds
 */
public record BreakerPolicy(TripRule tripRule, Cooldown cooldown, HalfOpen halfOpen, Duration callTimeout) {
    /** Two seconds for a ping after a timed-out call, one for everything else that ends a call. */
    private static final Duration AFTER_THE_CALL = Duration.ofSeconds(3);

    private static final BreakerPolicy DEFAULTS = new BreakerPolicy(
            new TripRule.Consecutive(5),
            Cooldown.growing(Duration.ofSeconds(30)),
            HalfOpen.ONE_PROBE,
            Duration.ofSeconds(60));

    public BreakerPolicy {
        Objects.requireNonNull(tripRule, "tripRule");
        Objects.requireNonNull(cooldown, "cooldown");
        Objects.requireNonNull(halfOpen, "halfOpen");
        Rule.time("callTimeout", callTimeout);
    }

    /** Five failures in a row; 30 seconds, doubling to five minutes; one probe; calls of up to a minute. */
    public static BreakerPolicy defaults() {
        return DEFAULTS;
    }

    public BreakerPolicy with(TripRule other) {
        return new BreakerPolicy(other, cooldown, halfOpen, callTimeout);
    }

    public BreakerPolicy with(Cooldown other) {
        return new BreakerPolicy(tripRule, other, halfOpen, callTimeout);
    }

    public BreakerPolicy with(HalfOpen other) {
        return new BreakerPolicy(tripRule, cooldown, other, callTimeout);
    }

    public BreakerPolicy withCallTimeout(Duration other) {
        return new BreakerPolicy(tripRule, cooldown, halfOpen, other);
    }

    /** How long a probe may hold its permit before another call may take it over. */
    public Duration lease() {
        return leaseOf(callTimeout);
    }

    static Duration leaseOf(Duration timeout) {
        return timeout.plus(AFTER_THE_CALL);
    }
}
