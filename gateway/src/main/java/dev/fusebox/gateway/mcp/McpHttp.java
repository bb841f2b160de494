package dev.fusebox.gateway.mcp;

import dev.fusebox.client.Connector;
import dev.fusebox.gateway.http.HttpFront;
import dev.fusebox.gateway.http.HttpSettings;
import dev.fusebox.world.World;
import java.io.IOException;
import java.util.random.RandomGenerator;

/// One server behind Streamable HTTP, with a process of its own for each session. Thread-safe; [#close] blocks until
/// running
/// calls have ended, within the limits of the front.
public final class McpHttp implements AutoCloseable {
    private final HttpSessions sessions;
    private final HttpFront front;

    private McpHttp(HttpSessions sessions, HttpFront front) {
        this.sessions = sessions;
        this.front = front;
    }

    /// Listens from now on.
    ///
    /// @param secrets makes session ids, which nobody must be able to guess
    public static McpHttp open(World world, HttpSettings http, Served served, RandomGenerator secrets)
            throws IOException {
        HttpSessions sessions = new HttpSessions(world, served, secrets, HttpSessions.Bounds.USUAL);
        return new McpHttp(sessions, HttpFront.open(http, new McpEndpoint(sessions), world));
    }

    /// The server behind the front.
    public record Served(SessionSettings settings, Connector connector) {}

    public int port() {
        return front.port();
    }

    @Override
    public void close() {
        sessions.closeAll();
        front.close();
    }
}
