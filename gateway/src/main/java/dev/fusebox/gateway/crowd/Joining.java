package dev.fusebox.gateway.crowd;

import dev.fusebox.client.lane.Lane;
import dev.fusebox.gateway.life.LifeRules;
import dev.fusebox.gateway.served.Served;
import java.util.function.Supplier;

/// A server that joins the others. Immutable.
///
/// @param served how to reach it
/// @param lane makes the only way to it, when the one of whoever had its name before has gone
/// @param rules of its calls
/// @param life how it is kept alive
/// @param whenClosed lets go of what only it has used; must not block
public record Joining(Served served, Supplier<Lane> lane, MemberRules rules, LifeRules life, Runnable whenClosed) {
    /// One that leaves nothing behind.
    public Joining(Served served, Supplier<Lane> lane, MemberRules rules, LifeRules life) {
        this(served, lane, rules, life, () -> {});
    }
}
