package dev.fusebox.gateway.observe;

import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.client.resilience.PipelineCall;
import java.util.function.Supplier;

/// A call that an observer sees begin and end.
final class ObservedCall {
    private ObservedCall() {}

    static Outcome make(CallObserver observer, String server, PipelineCall call, Supplier<Outcome> work) {
        CallObserver.Observation observation = observer.begun(server, call);
        Outcome outcome = null;
        try {
            outcome = work.get();
            return outcome;
        } finally {
            observation.ended(outcome);
        }
    }
}
