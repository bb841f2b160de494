package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Fault;

/// A server that is configured and cannot be called, and why. Immutable.
///
/// @param status in one word, as it is shown
public record Absent(String id, Fault why, String status) {
    /// A server that is switched off.
    public Absent(String id, Fault why) {
        this(id, why, "disabled");
    }
}
