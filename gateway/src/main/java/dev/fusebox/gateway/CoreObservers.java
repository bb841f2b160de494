package dev.fusebox.gateway;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.config.Configuration;
import dev.fusebox.gateway.observe.BreakerEvents;
import dev.fusebox.gateway.observe.BreakerLog;
import dev.fusebox.gateway.observe.CallCounts;
import dev.fusebox.gateway.observe.CallTelemetry;
import dev.fusebox.gateway.observe.ConfigLog;
import dev.fusebox.gateway.observe.EventLog;
import dev.fusebox.gateway.observe.LifecycleLog;
import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.gateway.observe.LoginLog;
import dev.fusebox.gateway.observe.SessionCounts;
import dev.fusebox.gateway.observe.Traces;
import dev.fusebox.platform.Platform;
import java.util.function.Supplier;

/// What a gateway reports of its servers and calls: events, log, counts and traces. Immutable.
///
/// @param calls observes all calls
record CoreObservers(
        EventLog events, LogBuffer log, CallCounts counts, SessionCounts sessions, Traces traces, CallTelemetry calls) {
    /// Opens the traces, which the gateway closes.
    ///
    /// @param active the configuration at any time
    static CoreObservers open(Platform platform, Breakers breakers, Supplier<Configuration> active) {
        EventLog events = new EventLog(platform.wallClock());
        BreakerEvents.forward(breakers, events);
        BreakerLog.listenTo(events);
        ConfigLog.listenTo(events);
        LifecycleLog.listenTo(events);
        LoginLog.listenTo(events);
        Traces traces =
                Traces.to(platform, active.get().gateway().collector(), id -> ServerGauges.transport(active.get(), id));
        traces.watch(breakers);
        CallCounts counts = new CallCounts();
        return new CoreObservers(
                events,
                new LogBuffer(platform.wallClock()),
                counts,
                new SessionCounts(counts),
                traces,
                new CallTelemetry(platform.ticker(), counts, events, traces));
    }
}
