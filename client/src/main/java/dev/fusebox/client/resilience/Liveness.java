package dev.fusebox.client.resilience;

import dev.fusebox.client.ReconnectingConnection.Pulse;
import java.time.Duration;

/// The server behind a lane, for whoever doubts that it lives. Thread-safe; only [#pulse] blocks, no longer than
/// asked.
public interface Liveness {
    /// Whether the server has said anything since then, or answers when it is asked now.
    ///
    /// @param since by the monotonic clock
    Pulse pulse(long since, Duration limit);

    /// Whether the server has said anything since then, by the monotonic clock.
    boolean heardSince(long then);

    /// Whether no call is on the connection that stayed silent when it was asked last, as far as that can be told
    /// apart.
    default boolean isIdle() {
        return false;
    }

    /// Ends a connection on which nobody answers any more; the next call opens another.
    void disconnect();
}
