package dev.fusebox.examples;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.Preset;
import dev.fusebox.breaker.TripRule;
import java.io.PrintStream;
import java.time.Duration;

/// Breakers with policies other than five consecutive failures.
public final class Policies {
    private Policies() {}

    public static void main(String[] args) {
        run(System.out);
    }

    static void run(PrintStream out) {
        // region: policy
        BreakerPolicy policy = BreakerPolicy.defaults()
                .with(TripRule.SlidingWindow.of(Duration.ofMinutes(5), 10, 5).orFailureRate(0.5))
                .with(Cooldown.fixed(Duration.ofSeconds(60)))
                .with(new HalfOpen(3, 3));
        // end: policy
        out.println(CircuitBreaker.of("jira", policy).policy());
        out.println(CircuitBreaker.of("db", Preset.DATABASE.policy()).policy());
        try {
            new HalfOpen(0, 1);
        } catch (IllegalArgumentException refused) {
            out.println(refused.getMessage());
        }
    }
}
