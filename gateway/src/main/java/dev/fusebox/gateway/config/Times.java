package dev.fusebox.gateway.config;

/// The bounds of times. Pure values.
final class Times {
    /// 365 days, as the breaker has it: longer times are typing errors.
    static final long LONGEST_MILLIS = 31_536_000_000L;

    static final Kind<Long> MILLIS = new Kind.Whole(1, LONGEST_MILLIS);

    private Times() {}
}
