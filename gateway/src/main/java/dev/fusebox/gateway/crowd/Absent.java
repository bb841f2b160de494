package dev.fusebox.gateway.crowd;

import dev.fusebox.client.CallFailure;
import dev.fusebox.gateway.life.Status;

/// A server that is configured and cannot be called, and why. Immutable.
///
/// @param status as it is shown
public record Absent(String id, CallFailure why, Status status) {
    /// A server that is switched off.
    public Absent(String id, CallFailure why) {
        this(id, why, Status.DISABLED);
    }
}
