package dev.fusebox.client.resilience;

import dev.fusebox.client.Outcome;
import org.jspecify.annotations.Nullable;

/// An observer of the begin and the end of every call of a pipeline, refused calls included. Thread-safe;
/// nothing blocks or throws.
@FunctionalInterface
public interface CallObserver {
    /// The observer that does nothing. A class, because a lambda of an interface is linked at each start.
    CallObserver NONE = new CallObserver() {
        @Override
        public Observation begun(String server, PipelineCall call) {
            return Observation.NONE;
        }
    };

    /// Placeholder for a server's name, for a call to a server that is not configured.
    String NO_SERVER = "";

    /// A call begins.
    Observation begun(String server, PipelineCall call);

    /// The observation of one call. Ends once, on the thread on which the call began.
    @FunctionalInterface
    interface Observation {
        /// The observation that ignores the end.
        Observation NONE = new Observation() {
            @Override
            public void ended(@Nullable Outcome outcome) {
                // Nothing was begun.
            }
        };

        /// The call has ended.
        ///
        /// @param outcome null if an internal error ended it
        void ended(@Nullable Outcome outcome);
    }
}
