package dev.fusebox.gateway.tools;

import dev.fusebox.client.Outcome;

/// A tool of the gateway's own, which clients find in `tools/list` beside those of servers, or in place of
/// them, in both eras and on every front. Thread-safe; [#call] blocks for as long as the caller has patience.
///
/// A new one takes its arguments by [ToolArguments], says with [GatewayToolCall#answer] what it has to say, and
/// calls tools of servers by [GatewayToolCall#servers], which is the way that every call takes. What it fails with
/// is put into the words of the protocol for it.
public interface GatewayTool {
    /// What clients call it by; without `__`, which is in the names of servers' tools.
    String name();

    /// As it stands in `tools/list`: JSON, written for models. All of them together keep to 900 tokens.
    String definition();

    /// Whether it does no more than call one tool of a server: then it keeps its place among the calls of its
    /// client.
    default boolean isForwarding() {
        return false;
    }

    /// Does what a client asks for. Whoever waits in here looks at the patience of the call, which the tool may
    /// give another limit before it waits for anything.
    Outcome call(GatewayToolCall call);
}
