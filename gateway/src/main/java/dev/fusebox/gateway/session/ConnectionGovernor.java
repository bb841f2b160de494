package dev.fusebox.gateway.session;

import dev.fusebox.client.ConnectionListener;
import dev.fusebox.config.ConnectionSharing;

/// The listener and the sharing rule for the connections to a server. Immutable.
///
/// @param listener is notified of connection events
/// @param connectionSharing which clients share a connection
public record ConnectionGovernor(ConnectionListener listener, ConnectionSharing connectionSharing) {
    /// No listener, and one connection for all clients.
    public static final ConnectionGovernor NONE =
            new ConnectionGovernor(ConnectionListener.NONE, ConnectionSharing.ONE);

    /// The same with a further listener.
    public ConnectionGovernor withListener(ConnectionListener other) {
        return new ConnectionGovernor(other, connectionSharing);
    }
}
