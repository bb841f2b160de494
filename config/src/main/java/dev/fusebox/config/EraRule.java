package dev.fusebox.config;

import java.time.Duration;

/// How the era of a server is determined. Immutable.
///
/// @param policy the era, or that it is detected
/// @param probe how long detection waits for a response before it also tries the other era
/// @param isGreetedFirst whether detection begins with the handshake, so that a silent server is not started twice
public record EraRule(EraPolicy policy, Duration probe, boolean isGreetedFirst) {
    /// Detection, with the longest wait that revision 2026-07-28 recommends.
    public static final EraRule USUAL = new EraRule(EraPolicy.AUTO, Duration.ofSeconds(3));

    /// Detection that begins with the request that only servers of the modern era answer with a result.
    public EraRule(EraPolicy policy, Duration probe) {
        this(policy, probe, false);
    }

    public EraRule with(EraPolicy other) {
        return new EraRule(other, probe, isGreetedFirst);
    }

    public EraRule with(Duration other) {
        return new EraRule(policy, other, isGreetedFirst);
    }

    public EraRule greetedFirst() {
        return new EraRule(policy, probe, true);
    }
}
