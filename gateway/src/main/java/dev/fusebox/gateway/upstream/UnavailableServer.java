package dev.fusebox.gateway.upstream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.gateway.lifecycle.ServerStatus;

/// A server that is configured and cannot be called, and why. Immutable.
///
/// @param status as it is shown
public record UnavailableServer(String id, CallFailure why, ServerStatus status) {
    /// A server that is switched off.
    public UnavailableServer(String id, CallFailure why) {
        this(id, why, ServerStatus.DISABLED);
    }
}
