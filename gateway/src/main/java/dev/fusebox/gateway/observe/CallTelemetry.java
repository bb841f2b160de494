package dev.fusebox.gateway.observe;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.platform.Ticker;
import java.time.Duration;

/// The observer of all calls: counts each, and publishes an event for tool calls. Thread-safe; nothing blocks.
public final class CallTelemetry implements CallObserver {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /// The result for the client if a bug of the gateway ends the call.
    private static final Outcome BROKEN = new Outcome.Failed(CallFailure.broken());

    private final Ticker ticker;
    private final CallCounts counts;
    private final EventLog eventLog;
    private final Traces traces;

    /// @param traces also observes each call
    public CallTelemetry(Ticker ticker, CallCounts counts, EventLog eventLog, Traces traces) {
        this.ticker = ticker;
        this.counts = counts;
        this.eventLog = eventLog;
        this.traces = traces;
    }

    @Override
    public Observation begun(String server, PipelineCall call) {
        long begun = ticker.nanos() - call.call().deadline().waited();
        Observation traced = traces.begun(server, call);
        return outcome -> {
            traced.ended(outcome);
            // The gateway's own requests are not counted.
            if (call.kind().proves()) {
                ended(server, call, outcome == null ? BROKEN : outcome, ticker.nanos() - begun);
            }
            // A backup server has not kept the call waiting.
            call.call().deadline().waited(Duration.ZERO);
        };
    }

    private void ended(String server, PipelineCall call, Outcome outcome, long nanos) {
        CallFailure callFailure =
                outcome instanceof Outcome.Failed(CallFailure failure) ? call.reported(failure) : null;
        if (server.equals(CallObserver.NO_SERVER)) {
            counts.refused(callFailure == null ? CallFailure.broken() : callFailure);
            return;
        }
        String tool = call.kind().tool();
        counts.ended(server, tool, callFailure, nanos);
        if (call.call().request().method().equals("tools/call")) {
            String category =
                    callFailure == null ? null : callFailure.category().toString();
            eventLog.publish(new ToolExecuted(server, tool, nanos / NANOS_PER_MILLI, category));
        }
    }
}
