package dev.fusebox.gateway.upstream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.gateway.lifecycle.ServerStatus;

/// A configured server that cannot be called, and the reason. Immutable.
///
/// @param status the displayed status
public record UnavailableServer(String id, CallFailure why, ServerStatus status) {
    /// A server that is disabled.
    public UnavailableServer(String id, CallFailure why) {
        this(id, why, ServerStatus.DISABLED);
    }
}
