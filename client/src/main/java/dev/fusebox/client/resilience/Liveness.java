package dev.fusebox.client.resilience;

import dev.fusebox.client.HealthCheckResult;
import java.time.Duration;

/// The liveness of a server's connections, for the decision whether a silent server is alive. Thread-safe; only
/// [#checkHealth] blocks, no longer than its limit.
public interface Liveness {
    /// Whether the server has sent anything since then, or answers a request now.
    ///
    /// @param since by the monotonic clock
    HealthCheckResult checkHealth(long since, Duration limit);

    /// Whether the server has sent anything since then, by the monotonic clock.
    boolean hasReceivedSince(long then);

    /// Whether there is a live connection on which the server has sent anything.
    ///
    /// @param now by the monotonic clock
    default boolean hasReceived(long now) {
        // No connection is as old as half the range of the clock.
        return hasReceivedSince(now - Long.MAX_VALUE / 2);
    }

    /// Whether no call is on the connection that failed the last health check, as far as that is known.
    default boolean isIdle() {
        return false;
    }

    /// Closes a connection that does not answer any more; the next call opens another.
    void disconnect();
}
