package dev.fusebox.gateway.front;

import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.era.ModernFrontEnd;
import dev.fusebox.http.HttpHandler;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/// One server behind HTTP: Streamable HTTP in both eras, and the older HTTP with server-sent events; each session
/// has a server of its own. Thread-safe; [#close] blocks until running calls have ended, within its limit and
/// those of the front.
public final class McpHttpFront {
    /// A server that does not want to end is killed after 1.55 s, and its calls are told then.
    private static final Duration SERVERS_END = Duration.ofSeconds(2);

    private final GatewayService service;
    private final HttpSessions sessions;
    private final ModernFrontEnd stateless;
    private final HttpServer front;

    private McpHttpFront(GatewayService service, HttpSessions sessions, ModernFrontEnd stateless, HttpServer front) {
        this.service = service;
        this.sessions = sessions;
        this.stateless = stateless;
        this.front = front;
    }

    /// What a front has beside its servers. Immutable.
    ///
    /// @param secrets makes what nobody must be able to guess: session ids, and tickets of parked calls
    /// @param rest answers at all paths that are none of the protocol's
    public record Beside(RandomGenerator secrets, HttpHandler rest) {}

    /// Listens from now on; there is nothing but the protocol.
    public static McpHttpFront open(
            Platform platform, HttpSettings http, GatewayService service, RandomGenerator secrets) throws IOException {
        HttpHandler nothing = (request, reply) -> reply.respond(404, HttpHeaders.none(), EndpointRules.NOTHING);
        return open(platform, http, service, new Beside(secrets, nothing));
    }

    /// Listens from now on.
    public static McpHttpFront open(Platform platform, HttpSettings http, GatewayService service, Beside beside)
            throws IOException {
        HttpSessions sessions = new HttpSessions(platform, service, beside.secrets());
        ModernFrontEnd stateless =
                new ModernFrontEnd(platform, service.settings(), service.endpoint(platform, beside.secrets()));
        McpEndpoint endpoint = new McpEndpoint(sessions, stateless, service.settings());
        HttpRoutes routes = new HttpRoutes(
                endpoint, new SseEndpoint(sessions, service.settings().maxDepth()), beside.rest());
        HttpServer front = HttpServer.open(http, routes, platform);
        sessions.watch();
        return new McpHttpFront(service, sessions, stateless, front);
    }

    /// The port it really listens on.
    public int port() {
        return front.port();
    }

    /// Sessions that are open.
    public int sessions() {
        return sessions.count();
    }

    /// Listens at its Unix socket anew, after somebody has removed the file of it.
    ///
    /// @throws IOException if it cannot be had; the message says what to do
    public void listenAgain() throws IOException {
        front.listenAgain();
    }

    /// Takes no call of the stateless era more.
    public void takeNoMore() {
        stateless.takeNoMore();
    }

    /// Calls of the stateless era that are under way.
    public int inFlight() {
        return stateless.inFlight();
    }

    /// Takes no session and no call more, lets running calls end, for at most so long, and ends.
    public void close(Duration drain) throws InterruptedException {
        close(drain, () -> 0);
    }

    /// The same, where others call the same servers, and are let end as well.
    ///
    /// @param others calls of theirs that are under way
    public void close(Duration drain, IntSupplier others) throws InterruptedException {
        IntSupplier all = () -> stateless.inFlight() + others.getAsInt();
        try {
            takeNoMore();
            sessions.awaitQuiet(drain, all);
            // What still runs ends with the servers that all share, and is told so.
            service.close();
            sessions.awaitQuiet(SERVERS_END, all);
        } finally {
            sessions.closeAll();
            stateless.close();
            front.close();
        }
    }
}
