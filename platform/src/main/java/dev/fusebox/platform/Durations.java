package dev.fusebox.platform;

import java.time.Duration;

/// Durations as nanoseconds.
final class Durations {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private Durations() {}

    /// The nanoseconds of a duration; 292 years for everything longer, zero for everything negative.
    static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }
}
