package dev.fusebox.gateway.served;

import dev.fusebox.client.ConnectionListener;

/// Who else has a say in the connections to a server. Immutable.
///
/// @param listener hears what becomes of them
/// @param sharing who has which of them
public record Oversight(ConnectionListener listener, Sharing sharing) {
    /// Nobody, and all clients share one.
    public static final Oversight NONE = new Oversight(ConnectionListener.NONE, Sharing.ONE);

    /// The same, heard by another.
    public Oversight heardBy(ConnectionListener other) {
        return new Oversight(other, sharing);
    }
}
