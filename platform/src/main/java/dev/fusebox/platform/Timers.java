package dev.fusebox.platform;

import java.time.Duration;

/// Bounded waits, and actions that run later. Thread-safe; only [#park] blocks.
public interface Timers {
    /// Parks the calling thread until it is unparked, interrupted, or `nanos` have passed; not at all if `nanos`
    /// is not positive or an unpark came first.
    ///
    /// It may also return spuriously, or because of an unpark that was meant for an earlier wait of this thread.
    /// So a return proves nothing: call it in a loop over a condition and the clock, as [Platform#await] does.
    void park(long nanos);

    /// Runs the action once, not before `delay` has passed; at once if the delay is not positive.
    ///
    /// The action must be short and must not block: it sets a field or unparks a thread. Two actions may run at
    /// the same time, in any order. An action that throws affects no other action; the throwable goes to the
    /// handler for uncaught exceptions of its thread.
    Timer schedule(Duration delay, Runnable action);
}
