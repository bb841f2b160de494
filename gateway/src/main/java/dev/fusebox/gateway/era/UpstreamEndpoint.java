package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.client.resilience.Liveness;

/// An upstream server of either era, for clients of either era. Thread-safe; [#call] blocks at most until the
/// deadline of the call, and [#pulse] for its limit.
public interface UpstreamEndpoint extends Endpoint, Liveness, AutoCloseable {
    /// Makes the call; the answer is in the format of the client's era.
    @Override
    Outcome call(Call call);

    /// Forwards a notification of the only client to the server. Notifications of one among many clients are
    /// not forwarded.
    default void sendNotification(byte[] notification) {}

    /// Applies a new log level of the only client; does not block.
    default void levelChanged() {}

    /// Closes the current connection, even during its handshake; the next call opens another.
    default void startOver() {
        disconnect();
    }

    /// Whether its calls are made on this connection now. Does not block.
    default boolean isOn(Connection connection) {
        return false;
    }

    @Override
    void close();

    /// Whether a server process holds state of its client only. Does not block.
    default boolean holdsState() {
        return false;
    }
}
