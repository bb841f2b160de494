package dev.fusebox.client;

import org.jspecify.annotations.Nullable;

/// Step of a call in progress, as an observer sees it. Ends once, on the thread on which it began.
@FunctionalInterface
public interface CallStep {
    /// A step without an observer. A constant, so that such steps cost nothing.
    CallStep UNOBSERVED = failure -> {};

    /// The listener of the call that this thread makes.
    ThreadLocal<Listener> LISTENER = new ThreadLocal<>();

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
        Listener listener = listener();
        return listener == null ? UNOBSERVED : listener.begin(type);
    }

    /// The listener of the call that this thread makes; null if there is none.
    static @Nullable Listener listener() {
        return LISTENER.get();
    }

    /// Sets the listener of the call that this thread makes, and returns the previous one; null for none.
    static @Nullable Listener listen(@Nullable Listener listener) {
        Listener before = LISTENER.get();
        if (listener == null) {
            LISTENER.remove();
        } else {
            LISTENER.set(listener);
        }
        return before;
    }

    /// Ends the step.
    ///
    /// @param failure of the step; null if it succeeded
    void end(@Nullable CallFailure failure);

    /// The step ends with this outcome, which is given back.
    default Outcome ended(Outcome outcome) {
        end(outcome instanceof Outcome.Failed(CallFailure failure) ? failure : null);
        return outcome;
    }
}
