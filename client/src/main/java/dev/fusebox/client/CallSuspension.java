package dev.fusebox.client;

import java.time.Duration;

/// The absence of a client that has left with a question of its server and has to come back with the answer.
/// Immutable.
///
/// @param since by the monotonic clock
/// @param ending ends the call that waits for the client; twice is the same as once, and nothing blocks
public record CallSuspension(long since, Runnable ending) {
    /// How long a client may be away while others need the place of its call. A person takes longer over some
    /// forms; so a call is ended only where nothing else makes room.
    public static final Duration LIMIT = Duration.ofSeconds(20);

    /// Nanoseconds until the call may be ended for others; not positive if it may be.
    ///
    /// @param now by the monotonic clock
    public long left(long now) {
        return LIMIT.toNanos() - (now - since);
    }
}
