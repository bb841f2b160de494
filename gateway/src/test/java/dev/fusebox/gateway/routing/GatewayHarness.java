package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.State;
import dev.fusebox.client.http.OutboundHttpClient;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.process.ChildProcess;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.PlatformSurroundings;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.PoolRules;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.catalog.CacheKey;
import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.PipedClient;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.pool.Pool;
import dev.fusebox.gateway.pool.PoolPolicy;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.gateway.task.TaskKey;
import dev.fusebox.gateway.upstream.ServerSpec;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.testkit.ManualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// A gateway in this process before several real server processes, over HTTP. Closing it checks that nothing of
/// the servers is left.
final class GatewayHarness implements AutoCloseable {
    private final Platform platform;
    private final ChildProcesses children;
    private final OutboundHttpClient outboundHttpClient;
    private final Breakers breakers;
    private final Pool pool;
    private final CallObserver observer;
    private final ServerRequestLimit questions;
    private final UpstreamServers servers;
    private final McpHttpFront front;

    private GatewayHarness(Plan plan) {
        this.platform = plan.platform;
        this.children = ChildProcesses.open(platform);
        this.breakers = Breakers.settings()
                .surroundings(PlatformSurroundings.of(plan.ofBreakers))
                .build();
        this.pool = new Pool(plan.ofPool, "pool.poolSize", plan.pool);
        this.outboundHttpClient = OutboundHttpClient.open(platform, OutboundSettings.defaults());
        this.observer = plan.observer;
        this.questions = plan.questions;
        List<ServerSpec> serverSpecs = plan.testServers.stream()
                .map(testServer -> spec(
                                testServer,
                                plan.connectionSharings.getOrDefault(testServer.name(), ConnectionSharing.ONE))
                        .with(new PoolPolicy(
                                pool, plan.idlePolicies.getOrDefault(testServer.name(), IdlePolicy.usual()))))
                .toList();
        SessionSettings settings = SessionSettings.of("fusebox");
        UpstreamServers.Parameters parameters = new UpstreamServers.Parameters(
                settings,
                SessionBounds.USUAL,
                100,
                plan.events,
                plan.observer,
                plan.exposurePolicy,
                plan.catalogStore,
                plan.userLogins,
                TaskKey.OF_THIS_RUN);
        this.servers = new UpstreamServers(
                platform,
                parameters,
                UpstreamServers.Servers.of(serverSpecs, plan.unavailableServers, plan.replicaSets),
                SecretIds.system());
        servers.waitForFirstLists(plan.firstListWait);
        servers.restoreCatalogs(availableTools -> {});
        try {
            this.front = McpHttpFront.open(
                    platform, HttpSettings.loopback(0), new MultipleServers(servers), SecretIds.system());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ServerSpec spec(TestServer testServer, ConnectionSharing connectionSharing) {
        SessionSettings settings = SessionSettings.of(testServer.name())
                .withTimeout(testServer.policy().timeout())
                .withQuestions(questions);
        FrontTarget frontTarget = FrontTarget.of(
                        settings,
                        testServer.connector(new TestServer.Connections(platform, children, outboundHttpClient)))
                .withEra(testServer.era())
                .sharedAs(connectionSharing);
        return new ServerSpec(
                        frontTarget,
                        () -> new CallPipeline(platform, testServer.pipeline(), breakers, observer),
                        testServer.policy(),
                        testServer.lifecycle())
                .as(CacheKey.of(testServer.name()));
    }

    /// The servers and settings of a gateway that is to be opened. For one thread.
    static final class Plan {
        private final Platform platform;
        private final List<TestServer> testServers = new ArrayList<>();
        private final List<UnavailableServer> unavailableServers = new ArrayList<>();
        private final Map<String, IdlePolicy> idlePolicies = new HashMap<>();
        private final Map<String, ConnectionSharing> connectionSharings = new HashMap<>();
        private final Map<String, List<String>> replicaSets = new LinkedHashMap<>();
        private Platform ofBreakers;
        private Platform ofPool;
        private PoolRules pool = PoolRules.USUAL.withSize(100);
        private LifecycleEvent.Listener events = LifecycleEvent.Listener.NONE;
        private CallObserver observer = CallObserver.NONE;
        private ExposurePolicy exposurePolicy = ExposurePolicy.proxy();
        private CatalogStore catalogStore = CatalogStore.NONE;
        private UserLogins userLogins = UserLogins.NONE;
        private ServerRequestLimit questions = ServerRequestLimit.USUAL;
        private Duration firstListWait = Duration.ofSeconds(1);

        private Plan(Platform platform) {
            this.platform = platform;
            this.ofBreakers = platform;
            this.ofPool = platform;
        }

        Plan server(String name, ServerScript script) {
            return server(TestServer.of(name, script));
        }

        Plan server(String name, ServerScript script, UnaryOperator<PipelineRules> pipeline, Duration timeout) {
            return server(TestServer.of(name, script).pipeline(pipeline).within(timeout));
        }

        Plan process(String name, ChildSpec spec) {
            return server(TestServer.of(name, spec));
        }

        Plan server(TestServer testServer) {
            testServers.add(testServer);
            return this;
        }

        /// Breakers use this time, which a test advances; everything else uses real time.
        Plan breakersIn(ManualTime time) {
            ofBreakers = time.platform();
            return this;
        }

        /// The rules of the connection pool.
        Plan pool(PoolRules rules) {
            pool = rules;
            return this;
        }

        /// The connection pool uses this time, which a test advances.
        Plan poolIn(ManualTime time) {
            ofPool = time.platform();
            return this;
        }

        /// How long an idle connection of a server is kept.
        Plan idlePolicy(String server, IdlePolicy idlePolicy) {
            idlePolicies.put(server, idlePolicy);
            return this;
        }

        /// How sessions share the connections of a server.
        Plan connectionSharing(String server, ConnectionSharing connectionSharing) {
            connectionSharings.put(server, connectionSharing);
            return this;
        }

        /// Which tools clients see.
        Plan exposure(ExposurePolicy other) {
            exposurePolicy = other;
            return this;
        }

        /// The store of the servers' catalogs.
        Plan catalogStore(CatalogStore other) {
            catalogStore = other;
            return this;
        }

        /// The logins of users.
        Plan userLogins(UserLogins other) {
            userLogins = other;
            return this;
        }

        /// How long the first list waits at most.
        Plan firstListWait(Duration limit) {
            firstListWait = limit;
            return this;
        }

        Plan absent(UnavailableServer server) {
            unavailableServers.add(server);
            return this;
        }

        /// Receives the lifecycle events of all servers.
        Plan lifecycleListener(LifecycleEvent.Listener listener) {
            events = listener;
            return this;
        }

        /// Observes all calls.
        Plan callObserver(CallObserver other) {
            observer = other;
            return this;
        }

        /// A replica set with this name.
        Plan replicaSet(String name, String... members) {
            replicaSets.put(name, List.of(members));
            return this;
        }

        /// The limit of requests from servers to clients.
        Plan serverRequestLimit(ServerRequestLimit limit) {
            questions = limit;
            return this;
        }

        GatewayHarness open() {
            return new GatewayHarness(this);
        }
    }

    static Plan plan() {
        return plan(SingleServerHarness.PLATFORM);
    }

    static Plan plan(Platform platform) {
        return new Plan(platform);
    }

    /// With a monotonic clock that goes twenty times slower than the real one: waits last so much longer.
    static Plan slowed() {
        Platform real = SingleServerHarness.PLATFORM;
        return plan(new Platform(
                () -> real.ticker().nanos() / 20,
                real.wallClock(),
                real.random(),
                real.timers(),
                real.environment(),
                real.processes(),
                real.peerUsers()));
    }

    /// From now on the servers are these.
    void reload(List<ReloadAction> reloadActions, Duration drain) {
        servers.replaceServers(reloadActions, drain);
    }

    /// A server that is new, or replaces another one.
    ReloadAction added(TestServer testServer) {
        return added(testServer, ConnectionSharing.ONE);
    }

    ReloadAction added(TestServer testServer, ConnectionSharing connectionSharing) {
        return new ReloadAction.Added(spec(testServer, connectionSharing));
    }

    /// The same, which is remembered by this.
    ReloadAction added(TestServer testServer, String identity) {
        return new ReloadAction.Added(spec(testServer, ConnectionSharing.ONE).as(CacheKey.of(identity)));
    }

    int port() {
        return front.port();
    }

    HttpWire client() {
        return new HttpWire(front.port());
    }

    /// The only client there, on two pipes.
    PipedClient onlyClient() {
        return PipedClient.before(new MultipleServers(servers));
    }

    State state(String server) {
        return breakers.breaker(BreakerName.of(server)).state();
    }

    BreakerSnapshot breaker(BreakerName name) {
        return breakers.breaker(name).snapshot();
    }

    Breakers breakers() {
        return breakers;
    }

    UpstreamServer server(String id) {
        return Objects.requireNonNull(servers().server(id));
    }

    UpstreamServers servers() {
        return servers;
    }

    /// Waits until this server has said what it offers, and asks nobody for it.
    void eventuallyKnows(String server) {
        UpstreamServer upstreamServer = Objects.requireNonNull(servers.server(server), server);
        eventually("the catalog of %s is known".formatted(server), upstreamServer::isKnown);
    }

    /// Waits until this server has said itself what it offers, and that was handed to the cache.
    void eventuallyHears(String server) {
        UpstreamServer upstreamServer = Objects.requireNonNull(servers.server(server), server);
        eventually(
                "the catalog of %s is live".formatted(server),
                () -> upstreamServer.isLive() && upstreamServer.isAtRest());
    }

    /// Starts this server, and waits until it has said what it offers. A call waits for that for two seconds at
    /// most, which a busy machine may need for the start alone.
    void start(String server) {
        server(server).wake();
        eventuallyHears(server);
    }

    ServerStatus status(String server) {
        return Objects.requireNonNull(servers.server(server), server).health().status();
    }

    /// Waits until this server is so.
    void eventuallyIs(String server, ServerStatus status) {
        eventually(
                "%s is %s".formatted(server, status),
                () -> assertThat(status(server)).isEqualTo(status));
    }

    Pool pool() {
        return pool;
    }

    List<Long> processes() {
        return children.live().stream().map(ChildProcess::pid).toList();
    }

    @Override
    public void close() {
        try {
            front.close(Duration.ofMillis(1));
            pool.close();
            servers.close();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        } finally {
            children.close();
            outboundHttpClient.close();
            breakers.close();
        }
        assertThat(children.live()).isEmpty();
    }
}
