package dev.fusebox.platform;

/// A monotonic clock, for intervals. Thread-safe; never blocks.
@FunctionalInterface
public interface Ticker {
    /// Nanoseconds since an arbitrary origin. The value may be negative and wraps around after 292 years: only the
    /// difference of two values means anything, and `a - b < 0` is the only right comparison.
    long nanos();
}
