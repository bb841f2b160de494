package dev.fusebox.breaker;

/** A monotonic clock. */
@FunctionalInterface
public interface Ticker {
    /** Nanoseconds since an arbitrary origin; may be negative, wraps around. */
    long nanos();
}
