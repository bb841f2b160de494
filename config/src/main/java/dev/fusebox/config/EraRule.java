package dev.fusebox.config;

import java.time.Duration;

/// How a server's era is known. Immutable.
///
/// @param policy which era it is, or that it has to be found out
/// @param probe how long finding out waits for a server that says nothing, before it tries the other era as well
/// @param isGreetedFirst whether finding out begins with the handshake, so that a silent server is not started
/// twice
public record EraRule(EraPolicy policy, Duration probe, boolean isGreetedFirst) {
    /// Found out, with the longest wait that revision 2026-07-28 recommends.
    public static final EraRule USUAL = new EraRule(EraPolicy.AUTO, Duration.ofSeconds(3));

    /// Finding out begins with the question that only servers of the stateless era answer with a result.
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
