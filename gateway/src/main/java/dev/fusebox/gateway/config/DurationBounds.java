package dev.fusebox.gateway.config;

/// The bounds of times. Pure values.
final class DurationBounds {
    /// 365 days, as the breaker has it: longer times are typing errors.
    static final long LONGEST_MILLIS = 31_536_000_000L;

    static final ValueType<Long> MILLIS = new ValueType.Whole(1, LONGEST_MILLIS);

    private DurationBounds() {}
}
