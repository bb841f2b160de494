package dev.fusebox.oauth.login;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The time between two polls of a login on another device (RFC 8628, 3.5). Immutable.
///
/// @param base the interval that the server demands
/// @param next the time until the next poll, which is longer after failures
record PollInterval(Duration base, Duration next) {
    /// What applies if the server names no interval (RFC 8628, 3.2).
    private static final Duration DEFAULT = Duration.ofSeconds(5);

    /// What `slow_down` adds (RFC 8628, 3.5).
    private static final Duration SLOW_DOWN = Duration.ofSeconds(5);

    /// A person waits: after a failure the next attempt comes within a minute, unless the server wants it later.
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(60);

    /// An interval that is not positive counts as none.
    static PollInterval of(Duration interval) {
        return steady(interval.isPositive() ? interval : DEFAULT);
    }

    private static PollInterval steady(Duration interval) {
        return new PollInterval(interval, interval);
    }

    PollInterval afterPending() {
        return steady(base);
    }

    PollInterval afterSlowDown() {
        return steady(base.plus(SLOW_DOWN));
    }

    /// Doubles the time until the next poll (RFC 8628, 3.5).
    ///
    /// @param retryAfter the pause that the server asked for; null if it did not
    PollInterval afterFailure(@Nullable Duration retryAfter) {
        Duration backoff = longer(base, shorter(next.multipliedBy(2), LONGEST_BACKOFF));
        return new PollInterval(base, retryAfter == null ? backoff : longer(backoff, retryAfter));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
