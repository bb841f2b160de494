package dev.fusebox.gateway;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connector;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Principal;
import dev.fusebox.client.ProcessOutputListener;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.http.FallbackConnector;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundHttpClient;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.ProxyRules;
import dev.fusebox.client.http.RequestAuthorizer;
import dev.fusebox.client.http.SseConnector;
import dev.fusebox.client.http.StreamOpener;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.stream.StreamServer;
import dev.fusebox.client.stream.TcpConnector;
import dev.fusebox.client.stream.UnixConnector;
import dev.fusebox.client.websocket.WebSocketConnector;
import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.GatewayClients;
import dev.fusebox.config.LaunchChecksum;
import dev.fusebox.config.MissingVariables;
import dev.fusebox.config.SelfReference;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.AwaitingConfig;
import dev.fusebox.config.ServerState.Disabled;
import dev.fusebox.config.ServerState.Faulty;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.config.ServerState.Replicated;
import dev.fusebox.gateway.catalog.CacheKey;
import dev.fusebox.gateway.catalog.ServerLabel;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.reload.ConfigDifference;
import dev.fusebox.gateway.routing.ReloadAction;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.gateway.session.SessionListener;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.gateway.settings.CallRules;
import dev.fusebox.gateway.settings.Endpoints;
import dev.fusebox.gateway.upstream.LaunchIdentity;
import dev.fusebox.gateway.upstream.PlannedServer;
import dev.fusebox.gateway.upstream.ServerSpec;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.http.Origin;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/// A factory of upstream server specifications from configuration entries. For one thread.
public final class UpstreamFactory {
    private final Platform platform;
    private final Configuration configuration;
    private final Parts parts;
    private final LaunchPlace place;

    /// The dependencies that all servers share. Immutable.
    ///
    /// @param proxyRules from the environment
    /// @param listeners observers of calls, and of process output outside of the protocol
    /// @param connectionPools the connection pools
    /// @param serverLogins the logins of the servers
    /// @param clients which clients there are
    public record Parts(
            ChildProcesses children,
            Breakers breakers,
            ProxyRules proxyRules,
            Listeners listeners,
            ConnectionPools connectionPools,
            ServerLogins serverLogins,
            GatewayClients clients) {
        /// The same with other child processes.
        public Parts with(ChildProcesses other) {
            return new Parts(other, breakers, proxyRules, listeners, connectionPools, serverLogins, clients);
        }
    }

    /// The observers of the servers. Immutable.
    ///
    /// @param observer notified of every call
    /// @param listener creates the process listener of a server, by its label
    /// @param questions counts requests of servers beyond their limit
    /// @param sessions listener of client sessions
    public record Listeners(
            CallObserver observer,
            Function<String, ProcessOutputListener> listener,
            ServerRequestLimit questions,
            SessionListener sessions) {}

    public UpstreamFactory(Platform platform, Configuration configuration, Parts parts) {
        this(platform, configuration, parts, LaunchPlace.HERE);
    }

    private UpstreamFactory(Platform platform, Configuration configuration, Parts parts, LaunchPlace place) {
        this.platform = platform;
        this.configuration = configuration;
        this.parts = parts;
        this.place = place;
    }

    Platform platform() {
        return platform;
    }

    /// The same for servers that are started in the place of a client.
    UpstreamFactory at(LaunchPlace other) {
        return new UpstreamFactory(platform, configuration, parts, other);
    }

    /// Where the servers are started, as [ServerView] compares it.
    Object origin() {
        return place.origin();
    }

    /// What every child of this gateway inherits from it, wherever it is started.
    private Map<String, String> marks() {
        String served = platform.environment().get(SelfReference.SERVED);
        return served == null ? Map.of() : Map.of(SelfReference.SERVED, served);
    }

    /// The server, which is created where no other client has the same.
    PlannedServer planned(ServerConfig server, ServerEndpoint endpoint) {
        return new PlannedServer(server.id(), launch(server, endpoint), instance -> spec(server, endpoint, instance));
    }

    private LaunchIdentity launch(ServerConfig server, ServerEndpoint endpoint) {
        return place.launch(server, endpoint, configuration.limits());
    }

    /// The specification of a server that can be called.
    public ServerSpec spec(ServerConfig server, ServerEndpoint endpoint) {
        return spec(server, endpoint, 1);
    }

    /// @param instance its number among the servers of its name
    private ServerSpec spec(ServerConfig server, ServerEndpoint endpoint, int instance) {
        ConnectionSharing sharing = server.presence().connectionSharing(parts.clients(), endpoint);
        SessionSettings settings = SessionSettings.of(server.id())
                .withTimeout(server.times().call())
                .withConnectTimeout(server.times().connect())
                .withClientWait(configuration.limits().clientWait())
                .withMaxDepth(configuration.limits().depth())
                .withQuestions(parts.listeners().questions())
                .withSessions(parts.listeners().sessions());
        Link link = switch (endpoint) {
            case ServerEndpoint.Stdio process ->
                new Link(processConnector(server, process, instance), sharing, () -> {}, () -> {});
            case ServerEndpoint.Tcp tcp -> tcp(server, tcp, sharing);
            case ServerEndpoint.Unix unix -> new Link(unixConnector(server, unix), sharing, () -> {}, () -> {});
            case ServerEndpoint.Http _, ServerEndpoint.Sse _, ServerEndpoint.WebSocket _ ->
                remote(server, endpoint, sharing);
        };
        return spec(server, settings, link);
    }

    private Connector processConnector(ServerConfig server, ServerEndpoint.Stdio process, int instance) {
        ProcessOutputListener listener =
                parts.listeners().listener().apply(new ServerLabel(server.id(), instance).toString());
        ChildSpec child = place.at(Endpoints.childSpec(process, configuration.limits()), marks());
        return new StdioConnector(platform, server.id(), parts.children(), child).withOutputListener(listener);
    }

    private Connector unixConnector(ServerConfig server, ServerEndpoint.Unix unix) {
        StreamServer streamServer = streamServer(server, () -> Redactor.of(unix.secrets()));
        return new UnixConnector(streamServer, unix.path(), server.times().tcpConnect());
    }

    private Link tcp(ServerConfig server, ServerEndpoint.Tcp tcp, ConnectionSharing sharing) {
        OutboundHttpClient httpClient = outboundHttpClient(server);
        HttpTarget target = Endpoints.target(tcp);
        StreamOpener opener = new StreamOpener(platform, httpClient, target, RequestAuthorizer.NONE);
        TcpConnector connector = new TcpConnector(streamServer(server, target::secrets), opener);
        return new Link(connector, sharing, httpClient::close, () -> {});
    }

    private StreamServer streamServer(ServerConfig server, Supplier<Redactor> secrets) {
        return new StreamServer(platform, server.id(), secrets, Endpoints.streamLimits(configuration.limits()));
    }

    private Link remote(ServerConfig server, ServerEndpoint endpoint, ConnectionSharing sharing) {
        OutboundHttpClient httpClient = outboundHttpClient(server);
        ServerEndpoint.Remote remote = Objects.requireNonNull(endpoint.address());
        ServerAuthorizer login =
                parts.serverLogins().authorizer(server.id(), remote).orElse(null);
        RequestAuthorizer authorizer = login == null ? withoutLogin(server.id(), remote) : login;
        Connector connector = connector(server, endpoint, httpClient, authorizer);
        Runnable whenClosed = login == null ? httpClient::close : () -> close(login, httpClient);
        Runnable reloadLogin = login == null ? () -> {} : () -> login.login().reload();
        return new Link(connector, sharing, whenClosed, reloadLogin);
    }

    private Connector connector(
            ServerConfig server, ServerEndpoint endpoint, OutboundHttpClient httpClient, RequestAuthorizer authorizer) {
        if (endpoint instanceof ServerEndpoint.WebSocket webSocket) {
            HttpTarget target = Endpoints.target(webSocket);
            StreamServer streamServer =
                    streamServer(server, () -> target.secrets().and(authorizer.secrets()));
            return new WebSocketConnector(streamServer, new StreamOpener(platform, httpClient, target, authorizer));
        }
        HttpTarget target = Endpoints.target(Objects.requireNonNull(endpoint.address()));
        return endpoint instanceof ServerEndpoint.Sse
                ? new SseConnector(platform, httpClient, target, authorizer)
                : new FallbackConnector(platform, httpClient, target, authorizer);
    }

    private RequestAuthorizer withoutLogin(String server, ServerEndpoint.Remote remote) {
        return remote.headersHelper().isEmpty()
                ? RequestAuthorizer.NONE
                : parts.serverLogins().headersHelper(server, remote);
    }

    private static void close(ServerAuthorizer login, OutboundHttpClient httpClient) {
        login.close();
        httpClient.close();
    }

    /// How a server is reached. Immutable.
    private record Link(Connector connector, ConnectionSharing sharing, Runnable whenClosed, Runnable reloadLogin) {}

    private ServerSpec spec(ServerConfig server, SessionSettings settings, Link link) {
        FrontTarget frontTarget = FrontTarget.of(settings, link.connector())
                .withEra(server.eras().policy())
                .withEraProbe(server.eras().probe())
                .withBounds(configuration.http().sessions())
                .sharedAs(link.sharing());
        // A server that does not answer because it is being installed is not started a second time in parallel.
        boolean isStartedOnce = parts.children().startupGrace().isPositive();
        return new ServerSpec(
                key(server),
                isStartedOnce ? frontTarget.greetedFirst() : frontTarget,
                instance -> new CallPipeline(
                        platform,
                        CallRules.pipeline(configuration, server).ofInstance(instance),
                        parts.breakers(),
                        parts.listeners().observer()),
                CallRules.policy(server),
                configuration.settings(server),
                parts.connectionPools().poolPolicy(server),
                link.whenClosed(),
                link.reloadLogin());
    }

    /// The cache identity of a server that can be called; empty for others.
    public static String identity(ServerConfig server) {
        return server.state() instanceof Ready(ServerEndpoint endpoint) ? server.id() + "\n" + endpoint.identity() : "";
    }

    private CacheKey key(ServerConfig server) {
        return server.state() instanceof Ready(ServerEndpoint endpoint)
                ? new CacheKey(
                        identity(server), Principal.OWNER, () -> LaunchChecksum.of(platform.environment(), endpoint))
                : CacheKey.NONE;
    }

    /// Each server has its own HTTP connections, so that no server waits for another's.
    private OutboundHttpClient outboundHttpClient(ServerConfig server) {
        OutboundSettings settings = OutboundSettings.defaults()
                .withConnectTimeout(server.times().tcpConnect())
                .withMaxBodyBytes(configuration.limits().frameBytes())
                .withMaxDepth(configuration.limits().depth())
                .withProxies(parts.proxyRules());
        return OutboundHttpClient.open(platform, settings);
    }

    /// The reload action for a changed server.
    ReloadAction reloadAction(ServerConfig server, ConfigDifference.Change change) {
        if (server.state() instanceof Replicated(List<String> replicas)) {
            return new ReloadAction.Shared(server.id(), replicas);
        }
        if (!(server.state() instanceof Ready(ServerEndpoint endpoint))) {
            return new ReloadAction.Missing(unavailableServer(server));
        }
        return switch (change) {
            case NONE -> new ReloadAction.Unchanged(server.id(), launch(server, endpoint));
            case RULES ->
                new ReloadAction.RulesChanged(
                        server.id(),
                        CallRules.pipeline(configuration, server),
                        CallRules.policy(server),
                        configuration.settings(server),
                        launch(server, endpoint));
            case REACH, ADDED -> new ReloadAction.Added(planned(server, endpoint));
        };
    }

    // ---- Unavailable servers

    /// @param server whose configuration entry is not ready
    static UnavailableServer unavailableServer(ServerConfig server) {
        return switch (server.state()) {
            case Ready ready -> throw new IllegalArgumentException(server.id() + " can be called");
            case Replicated replicated -> throw new IllegalArgumentException(server.id() + " can be called");
            case Disabled disabled -> disabled(server);
            case AwaitingConfig(List<String> missing) -> awaiting(server, missing);
            case Faulty(List<ConfigProblem> problems) -> faulty(server, problems);
        };
    }

    private static UnavailableServer disabled(ServerConfig server) {
        String message =
                server.id() + " is disabled; `" + FuseboxCommand.onFile("enable", server.id()) + "` enables it";
        return new UnavailableServer(server.id(), CallFailure.policy(ErrorId.SERVER_DISABLED, message));
    }

    private static UnavailableServer awaiting(ServerConfig server, List<String> missing) {
        MissingVariables variables = new MissingVariables(missing);
        String message = server.id() + " is awaiting_user_config: it needs " + variables.needs() + "; "
                + variables.remedyAtRuntime();
        return new UnavailableServer(
                server.id(), CallFailure.policy(ErrorId.CONNECT_FAILED, message), ServerStatus.AWAITING_USER_CONFIG);
    }

    private static UnavailableServer faulty(ServerConfig server, List<ConfigProblem> problems) {
        String message = server.id() + " cannot be served: " + problems.getFirst();
        return new UnavailableServer(
                server.id(), CallFailure.policy(ErrorId.CONNECT_FAILED, message), ServerStatus.ERROR);
    }

    // ---- Connections

    /// The proxy settings of the environment, if a server may need them.
    ///
    /// @throws GatewayException if they are needed and invalid
    public static ProxyRules proxies(Platform platform, Configuration configuration) throws GatewayException {
        boolean mayNeedProxy = configuration.servers().stream()
                .anyMatch(server -> server.state() instanceof Ready(ServerEndpoint endpoint) && mayNeedProxy(endpoint));
        if (!mayNeedProxy) {
            return ProxyRules.NONE;
        }
        try {
            return ProxyRules.of(platform.environment());
        } catch (IllegalArgumentException unusable) {
            throw new GatewayException(String.valueOf(unusable.getMessage()));
        }
    }

    private static boolean mayNeedProxy(ServerEndpoint endpoint) {
        ServerEndpoint.Remote remote = endpoint.address();
        return remote != null
                && remote.proxy() == null
                && !Origin.require(remote.uri()).isHere();
    }
}
