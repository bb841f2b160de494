package dev.fusebox.gateway.served;

import dev.fusebox.client.Witness;

/// Who else has a say in the connections to a server. Immutable.
///
/// @param witness hears what becomes of them
/// @param shared whether all clients share one, so that none of them can be asked anything over it
public record Oversight(Witness witness, boolean shared) {
    /// Nobody: each client has its own.
    public static final Oversight NONE = new Oversight(Witness.NONE, false);
}
