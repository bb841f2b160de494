package dev.fusebox.client;

import org.jspecify.annotations.Nullable;

/// Step of a call in progress, as an observer sees it. Ends once, on the thread on which it began.
@FunctionalInterface
public interface CallStep {
    /// A step without an observer. A constant, so that such steps cost nothing.
    CallStep UNOBSERVED = failure -> {};

    /// The listener for the call of the current thread; unbound if there is none.
    ScopedValue<Listener> LISTENER = ScopedValue.newInstance();

    /// Kinds of steps.
    enum Type {
        /// Waiting for a permit of the bulkhead.
        QUEUE,
        /// One attempt to get a response from the server.
        ATTEMPT,
        /// Waiting for a connection.
        CONNECT
    }

    /// Observes the steps of one call. Nothing here may block or throw.
    @FunctionalInterface
    interface Listener {
        /// A step begins.
        CallStep begin(Type type);
    }

    /// Begins a step of the call of the current thread.
    static CallStep begin(Type type) {
        return LISTENER.isBound() ? LISTENER.get().begin(type) : UNOBSERVED;
    }

    /// Ends the step.
    ///
    /// @param failure of the step; null if it succeeded
    void end(@Nullable CallFailure failure);

    /// Ends the step with a failure, which is also the outcome of the call.
    default Outcome failed(CallFailure failure) {
        end(failure);
        return new Outcome.Failed(failure);
    }

    /// Ends the step with this outcome, and returns it.
    default Outcome ended(Outcome outcome) {
        end(outcome instanceof Outcome.Failed(CallFailure failure) ? failure : null);
        return outcome;
    }
}
