package dev.fusebox.gateway.served;

import dev.fusebox.client.Witness;

/// Who else has a say in the connections to a server. Immutable.
///
/// @param witness hears what becomes of them
/// @param sharing who has which of them
public record Oversight(Witness witness, Sharing sharing) {
    /// Nobody, and all clients share one.
    public static final Oversight NONE = new Oversight(Witness.NONE, Sharing.ONE);

    /// The same, heard by another.
    public Oversight heardBy(Witness other) {
        return new Oversight(other, sharing);
    }
}
