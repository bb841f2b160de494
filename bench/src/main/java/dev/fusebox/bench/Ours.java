package dev.fusebox.bench;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.Permit;
import dev.fusebox.breaker.TripRule;
import java.time.Duration;

/// The configurations of Fusebox's breakers for the benchmarks.
final class Ours {
    private static final Duration WINDOW = Duration.ofSeconds(60);

    private Ours() {}

    /// Five failures in a row trip it.
    static CircuitBreaker consecutive() {
        return CircuitBreaker.of("bench", BreakerPolicy.defaults().with(new TripRule.Consecutive(5)));
    }

    /// Half of the calls of a minute trip it, once there are a hundred.
    static CircuitBreaker window() {
        return CircuitBreaker.of("bench", BreakerPolicy.defaults().with(rate()));
    }

    /// The same, and calls of more than a second count as slow.
    static CircuitBreaker windowWithSlowCalls() {
        TripRule.SlidingWindow rule = rate().orSlowCalls(Duration.ofSeconds(1), 0.5);
        return CircuitBreaker.of("bench", BreakerPolicy.defaults().with(rule));
    }

    /// Refuses for longer than any measurement takes.
    static CircuitBreaker open() {
        BreakerPolicy policy =
                BreakerPolicy.defaults().with(new TripRule.Consecutive(1)).with(Cooldown.fixed(Duration.ofDays(1)));
        CircuitBreaker breaker = CircuitBreaker.of("bench", policy);
        ((Permit) breaker.tryAcquire()).failed("offline");
        return breaker;
    }

    /// The permit form of one call that succeeds.
    static boolean letThrough(CircuitBreaker breaker) {
        return breaker.tryAcquire() instanceof Permit permit && permit.succeeded();
    }

    private static TripRule.SlidingWindow rate() {
        return TripRule.SlidingWindow.ofRate(WINDOW, 100, 0.5);
    }
}
