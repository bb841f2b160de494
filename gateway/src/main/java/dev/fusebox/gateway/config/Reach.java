package dev.fusebox.gateway.config;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.process.ChildSpec;

/// How a server is reached. Immutable.
public sealed interface Reach {
    /// As a process of our own.
    record Stdio(ChildSpec spec) implements Reach {}

    /// Over Streamable HTTP.
    record Http(HttpTarget target) implements Reach {}

    /// Over HTTP with SSE, as of revision 2024-11-05.
    record Sse(HttpTarget target) implements Reach {}
}
