package dev.fusebox.gateway.mcp;

import dev.fusebox.client.Connector;
import dev.fusebox.gateway.http.HttpFront;
import dev.fusebox.gateway.http.HttpSettings;
import dev.fusebox.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// One server behind Streamable HTTP, with a process of its own for each session. Thread-safe; [#close] blocks until
/// running calls have ended, within its limit and those of the front.
public final class McpHttp {
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
        HttpSessions sessions = new HttpSessions(world, served, secrets);
        HttpFront front = HttpFront.open(http, new McpEndpoint(sessions), world);
        sessions.watch();
        return new McpHttp(sessions, front);
    }

    /// The server behind the front.
    ///
    /// @param settings what a session keeps to
    /// @param connector starts the server
    /// @param bounds how many sessions there may be, and for how long
    public record Served(SessionSettings settings, Connector connector, SessionBounds bounds) {
        public Served(SessionSettings settings, Connector connector) {
            this(settings, connector, SessionBounds.USUAL);
        }
    }

    /// The port it really listens on.
    public int port() {
        return front.port();
    }

    /// Sessions that are open.
    public int sessions() {
        return sessions.count();
    }

    /// Begins no session more, lets running calls end, for at most so long, and ends.
    public void close(Duration drain) throws InterruptedException {
        try {
            sessions.awaitQuiet(drain);
        } finally {
            sessions.closeAll();
            front.close();
        }
    }
}
