package dev.fusebox.config;

import java.time.Duration;

/// The limits on HTTP sessions. Immutable.
///
/// @param most the number of concurrent sessions
/// @param idle the idle time after which a session is closed
public record SessionBounds(int most, Duration idle) {
    /// Ten thousand sessions, half an hour.
    public static final SessionBounds USUAL = new SessionBounds(10_000, Duration.ofMinutes(30));
}
