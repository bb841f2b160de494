package dev.fusebox.breaker;

/** A monotonic clock: only differences of its readings are meaningful. Implementations are thread-safe. */
@FunctionalInterface
public interface Ticker {
    /** Nanoseconds since an arbitrary origin; may be negative and may wrap around. Never blocks. */
    long nanos();
}
