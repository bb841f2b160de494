package dev.fusebox.client;

import java.time.Duration;

/// Absence of a client that was sent a request of its server and has to come back with the response. Immutable.
///
/// @param since by the monotonic clock
/// @param ending ends the call that waits for the client; idempotent and non-blocking
public record CallSuspension(long since, Runnable ending) {
    /// How long a client may be away while other calls need the permit of its call. People need longer for some
    /// forms, so a call is ended only where nothing else frees a permit.
    public static final Duration LIMIT = Duration.ofSeconds(20);

    /// Nanoseconds until the call may be ended for the sake of others; not positive if it may be now.
    ///
    /// @param now by the monotonic clock
    public long left(long now) {
        return LIMIT.toNanos() - (now - since);
    }
}
