package dev.fusebox.gateway.served;

import java.time.Duration;

/// How a server's era is known. Immutable.
///
/// @param policy which era it is, or that it has to be found out
/// @param probe how long finding out waits for a server that says nothing, before it tries the other era as well
public record EraRule(EraPolicy policy, Duration probe) {
    /// Found out, with the longest wait that revision 2026-07-28 recommends.
    public static final EraRule USUAL = new EraRule(EraPolicy.AUTO, Duration.ofSeconds(3));
}
