package dev.fusebox.config;

import java.time.Duration;

/// How many sessions there may be over HTTP. Immutable.
///
/// @param most sessions at the same time
/// @param idle after which one is closed
public record SessionBounds(int most, Duration idle) {
    /// Ten thousand, and half an hour.
    public static final SessionBounds USUAL = new SessionBounds(10_000, Duration.ofMinutes(30));
}
