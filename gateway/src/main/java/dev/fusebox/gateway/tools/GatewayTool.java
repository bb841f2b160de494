package dev.fusebox.gateway.tools;

import dev.fusebox.client.Outcome;

/// One of the gateway's own tools, listed in `tools/list` beside or in place of those of servers, in both eras and
/// on every front end. Thread-safe; [#call] blocks until the call's deadline at most.
///
/// An implementation parses its arguments with [ToolArguments], builds its result with [GatewayToolCall#answer],
/// and calls servers' tools through [GatewayToolCall#serverAccess], the same pipeline as for any call. Its
/// failures are translated into the client's protocol for it.
public interface GatewayTool {
    /// The name that clients call; without `__`, which marks names of servers' tools.
    String name();

    /// Its entry in `tools/list`: JSON, written for models. All definitions together stay below 900 tokens
    /// (`DiscoveryKeysTest` in `cli` counts them).
    String definition();

    /// Whether it only forwards to one tool of a server; then the call keeps its position in the order of its
    /// client's calls.
    default boolean isForwarding() {
        return false;
    }

    /// Whether its result may contain results of servers, so that the limits on results apply.
    default boolean mayContainServerResults() {
        return false;
    }

    /// Executes a call. An implementation that waits observes the call's deadline, and may shorten it before it
    /// waits.
    Outcome call(GatewayToolCall call);
}
