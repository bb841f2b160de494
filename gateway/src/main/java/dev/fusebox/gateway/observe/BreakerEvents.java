package dev.fusebox.gateway.observe;

import dev.fusebox.breaker.BreakerEvent.HalfOpenTest;
import dev.fusebox.breaker.BreakerEvent.StateChange;
import dev.fusebox.breaker.Breakers;

/// Brings what happens at breakers into the chronicle, on the thread on which it happens. Nothing blocks.
public final class BreakerEvents {
    private BreakerEvents() {}

    /// Brings it from now on.
    ///
    /// @param breakers that call their listeners on the thread of the call, so that its end comes last
    public static void bring(Breakers breakers, EventLog eventLog) {
        breakers.on(StateChange.class, change -> eventLog.tell(new BreakerStateChanged(change)));
        breakers.on(HalfOpenTest.class, test -> eventLog.tell(new BreakerProbed(test)));
    }
}
