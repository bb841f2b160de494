package dev.fusebox.gateway.session;

import dev.fusebox.client.ConnectionListener;
import dev.fusebox.config.ConnectionSharing;

/// Who else has a say in the connections to a server. Immutable.
///
/// @param listener hears what becomes of them
/// @param connectionSharing who has which of them
public record ConnectionGovernor(ConnectionListener listener, ConnectionSharing connectionSharing) {
    /// Nobody, and all clients share one.
    public static final ConnectionGovernor NONE =
            new ConnectionGovernor(ConnectionListener.NONE, ConnectionSharing.ONE);

    /// The same, heard by another.
    public ConnectionGovernor heardBy(ConnectionListener other) {
        return new ConnectionGovernor(other, connectionSharing);
    }
}
