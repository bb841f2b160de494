package dev.fusebox.gateway.front;

import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.era.ModernFrontEnd;
import dev.fusebox.http.BearerToken;
import dev.fusebox.http.HttpHandler;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The HTTP front end: Streamable HTTP in both eras, and the older HTTP with server-sent events. Thread-safe;
/// [#close] blocks until calls in flight have ended, within its limit and those of the HTTP server.
public final class McpHttpFront {
    /// A server that ignores termination is killed after 1.55 s; then its calls fail.
    private static final Duration SERVER_SHUTDOWN = Duration.ofSeconds(2);

    private final GatewayService service;
    private final HttpSessions sessions;
    private final ModernFrontEnd stateless;
    private final ProfileServices profiles;
    private final ProfileEndpoints endpoints;
    private final HttpServer front;

    private McpHttpFront(Parts parts, HttpServer front) {
        this.service = parts.service();
        this.sessions = parts.sessions();
        this.stateless = parts.stateless();
        this.profiles = parts.profiles();
        this.endpoints = parts.endpoints();
        this.front = front;
    }

    private record Parts(
            GatewayService service,
            HttpSessions sessions,
            ModernFrontEnd stateless,
            ProfileServices profiles,
            ProfileEndpoints endpoints) {}

    /// What a front end has beside the service. Immutable.
    ///
    /// @param secrets generates session ids and resume tokens, which must not be guessable
    /// @param profiles parts of the service that clients choose
    /// @param token of clients of the protocol; null if they need none
    /// @param rest handles all paths outside of the protocol
    public record Collaborators(
            RandomGenerator secrets,
            ProfileServices profiles,
            @Nullable BearerToken token,
            HttpHandler rest) {
        /// Without profiles and without a token.
        public Collaborators(RandomGenerator secrets, HttpHandler rest) {
            this(secrets, ProfileServices.NONE, null, rest);
        }
    }

    /// Starts to listen, with the protocol's paths only.
    public static McpHttpFront open(
            Platform platform, HttpSettings http, GatewayService service, RandomGenerator secrets) throws IOException {
        HttpHandler nothing = (request, reply) -> reply.respond(404, HttpHeaders.none(), EndpointRules.NOTHING);
        return open(platform, http, service, new Collaborators(secrets, nothing));
    }

    /// Starts to listen.
    public static McpHttpFront open(
            Platform platform, HttpSettings http, GatewayService service, Collaborators collaborators)
            throws IOException {
        HttpSessions sessions = new HttpSessions(platform, service, collaborators.secrets());
        ModernFrontEnd stateless =
                new ModernFrontEnd(platform, service.settings(), service.endpoint(platform, collaborators.secrets()));
        ProfileEndpoints endpoints = new ProfileEndpoints(platform, sessions, stateless, collaborators);
        HttpRoutes routes = new HttpRoutes(
                new McpEndpoint(sessions, stateless, McpPath.all(service)),
                endpoints,
                new SseEndpoint(sessions, service.settings().maxDepth()),
                collaborators.rest());
        HttpServer front = HttpServer.open(http, new ClientAccess(collaborators.token(), routes), platform);
        sessions.watch();
        endpoints.watch();
        return new McpHttpFront(new Parts(service, sessions, stateless, collaborators.profiles(), endpoints), front);
    }

    /// The port on which it listens.
    public int port() {
        return front.port();
    }

    /// The number of open sessions.
    public int sessions() {
        return sessions.count();
    }

    /// Listens again at its Unix socket, after the socket file was removed.
    ///
    /// @throws IOException if that fails; the message has the remedy
    public void listenAgain() throws IOException {
        front.listenAgain();
    }

    /// Rejects new calls of the modern era.
    public void drain() {
        stateless.takeNoMore();
        endpoints.drain();
    }

    /// The number of modern calls in flight.
    public int inFlight() {
        return stateless.inFlight();
    }

    /// Rejects new sessions and calls, waits for calls in flight at most for the limit, and closes.
    public void close(Duration drain) throws InterruptedException {
        close(drain, () -> 0);
    }

    /// The same, when other front ends use the same servers; their calls in flight are awaited, too.
    ///
    /// @param others the number of their calls in flight
    public void close(Duration drain, IntSupplier others) throws InterruptedException {
        IntSupplier all = () -> stateless.inFlight() + others.getAsInt();
        try {
            drain();
            sessions.awaitQuiet(drain, all);
            // Calls still in flight fail when the shared servers are closed.
            profiles.close();
            service.close();
            sessions.awaitQuiet(SERVER_SHUTDOWN, all);
        } finally {
            sessions.closeAll();
            endpoints.close();
            stateless.close();
            front.close();
        }
    }
}
