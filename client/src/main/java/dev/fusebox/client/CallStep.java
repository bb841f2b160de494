package dev.fusebox.client;

import org.jspecify.annotations.Nullable;

/// A step of a call that is under way, seen from outside. Ends once, on the thread on which it began.
@FunctionalInterface
public interface CallStep {
    /// Nobody observes it. One for all, so that steps cost nothing where nothing is observed.
    CallStep UNOBSERVED = fault -> {};

    /// Whoever observes the call that this thread makes; not bound if nobody does.
    ScopedValue<Listener> LISTENER = ScopedValue.newInstance();

    /// Kinds of steps.
    enum Type {
        /// Waiting for a place among the calls of the server.
        QUEUE,
        /// One attempt to have the server answer.
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

    /// Begins a step of the call that this thread makes.
    static CallStep begin(Type type) {
        return LISTENER.isBound() ? LISTENER.get().begin(type) : UNOBSERVED;
    }

    /// The step ends.
    ///
    /// @param fault with which the step ended; null if it reached its end
    void end(@Nullable Fault fault);

    /// The step ends with a failure, which ends the call.
    default Outcome failed(Fault fault) {
        end(fault);
        return new Outcome.Failed(fault);
    }

    /// The step ends with this outcome, which is given back.
    default Outcome ended(Outcome outcome) {
        end(outcome instanceof Outcome.Failed(Fault fault) ? fault : null);
        return outcome;
    }
}
