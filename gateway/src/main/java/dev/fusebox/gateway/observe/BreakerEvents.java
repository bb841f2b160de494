package dev.fusebox.gateway.observe;

import dev.fusebox.breaker.BreakerEvent.HalfOpenTest;
import dev.fusebox.breaker.BreakerEvent.StateChange;
import dev.fusebox.breaker.Breakers;

/// The bridge from breakers to the event log, on the thread of the change. Stateless; nothing blocks.
public final class BreakerEvents {
    private BreakerEvents() {}

    /// Starts to forward.
    ///
    /// @param breakers that call their listeners on the thread of the call, so that its end comes last
    public static void forward(Breakers breakers, EventLog eventLog) {
        breakers.on(StateChange.class, change -> eventLog.publish(new BreakerStateChanged(change)));
        breakers.on(HalfOpenTest.class, test -> eventLog.publish(new BreakerProbed(test)));
    }
}
