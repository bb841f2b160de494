package dev.fusebox.platform;

import java.time.Duration;

/// Durations as nanoseconds.
final class Durations {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private Durations() {}

    /// The duration in nanoseconds, clamped to 0 (for negative durations) and `Long.MAX_VALUE` (292 years).
    static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }
}
