package dev.fusebox.breaker;

/** The only way in which this library waits for a limited time. Implementations are thread-safe. */
@FunctionalInterface
public interface Parker {
    /**
     * Blocks the current thread until it is unparked or interrupted, until {@code nanos} are over, or for no reason:
     * callers check again and park again. After an earlier {@code unpark} it returns immediately.
     */
    void park(Object blocker, long nanos);
}
