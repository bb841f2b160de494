package dev.fusebox.client.resilience;

import dev.fusebox.client.CallStep;
import dev.fusebox.client.Outcome;
import java.util.function.Supplier;

/// Sees every call of a lane, those that are refused included, from its beginning to its end. Thread-safe.
@FunctionalInterface
public interface CallObserver {
    /// Looks away.
    CallObserver NOBODY = new CallObserver() { // a lambda of an interface is linked at each start
                @Override
                public Outcome see(String server, PipelineCall call, Supplier<Outcome> work) {
                    return work.get();
                }
            };

    /// In place of a server's name, for a call that is meant for a server that is not configured.
    String NO_SERVER = "";

    /// Has the call made, once, on this thread, and gives what came of it. Must not block beside the call itself,
    /// and must not throw.
    Outcome see(String server, PipelineCall call, Supplier<Outcome> work);

    /// A step of the call that is being seen on this thread begins. Must not block or throw.
    default CallStep begin(CallStep.Type type) {
        return CallStep.UNOBSERVED;
    }
}
