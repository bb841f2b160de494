package dev.fusebox.breaker;

/** The one way in which this library waits for a limited time. Implementations are thread-safe. */
@FunctionalInterface
public interface Parker {
    /**
     * Blocks the current thread until it is unparked or interrupted, until {@code nanos} are over, or for no reason:
     * callers look again and park again. An {@code unpark} that came first makes it return at once.
     */
    void park(Object blocker, long nanos);
}
