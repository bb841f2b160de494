package dev.fusebox.gateway.events;

import dev.fusebox.breaker.BreakerEvent.HalfOpenTest;
import dev.fusebox.breaker.BreakerEvent.StateChange;
import dev.fusebox.breaker.Breakers;

/// Brings what happens at breakers into the chronicle, on the thread on which it happens. Nothing blocks.
public final class BreakerNews {
    private BreakerNews() {}

    /// Brings it from now on.
    ///
    /// @param breakers that call their listeners on the thread of the call, so that its end comes last
    public static void bring(Breakers breakers, Chronicle chronicle) {
        breakers.on(StateChange.class, change -> chronicle.tell(new CircuitChanged(change)));
        breakers.on(HalfOpenTest.class, test -> chronicle.tell(new CircuitTested(test)));
    }
}
