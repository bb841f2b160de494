package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Connection;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.TimeoutArbiter;
import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.Isolation;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.gateway.catalog.CacheKey;
import dev.fusebox.gateway.catalog.CachedServerEntry;
import dev.fusebox.gateway.era.DetectedEndpoint;
import dev.fusebox.gateway.era.UpstreamEndpoint;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import dev.fusebox.gateway.pool.Borrower;
import dev.fusebox.gateway.pool.PoolPolicy;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A server under one configuration: its settings, call pipeline, endpoint and lifecycle, and the calls that
/// are in flight. A change of how the server is reached begins a new generation; a change of rules replaces
/// [Settings] in the same generation. Thread-safe; only [#drain] and [#isThere] block.
public final class ServerGeneration {
    private static final System.Logger LOG = LazyLoggers.of(ServerGeneration.class);

    private static final IdlePolicy VISIT = new IdlePolicy.Ephemeral(Duration.ZERO);

    private final Platform platform;
    private final CacheKey key;
    private final CachedServerEntry cached;
    private static final AtomicLong CREATED = new AtomicLong();

    private final long number = CREATED.incrementAndGet();
    private final FrontTarget frontTarget;
    private final DetectedEndpoint endpoint;
    private final ServerLifecycle lifecycle;
    private volatile Duration pingLimit;
    private final Runnable whenClosed;
    private final Runnable reloadLogin;
    private final PoolPolicy poolPolicy;
    private final Borrower borrower = new PoolBorrower();
    private final Owner owner;
    private final DrainLatch drainLatch = new DrainLatch();

    private final AtomicBoolean closed = new AtomicBoolean();

    /// Written under the monitor of the runtime only.
    private volatile Settings settings;

    /// The client that called last, whose turn in the pool queue is used to wait for a connection.
    private volatile Object client = this;

    /// Whether the connection was opened for one catalog reading only, and no call has come since.
    private volatile boolean isVisit;

    /// The rules for calls. Immutable except for pipeline and arbiter.
    record Settings(ServerPolicy policy, CallPipeline pipeline, TimeoutArbiter arbiter) {}

    /// The server of this generation. Implementations must not block.
    interface Owner extends ServerLifecycle.Actions {
        /// Whether the catalog is being read, or will be in a moment.
        boolean isReading();

        /// Notes that a connection has ended.
        void lost(Connection connection, CallFailure failure);
    }

    /// @param place its owner carries out lifecycle tasks; the catalog is read with every new connection
    ServerGeneration(UpstreamContext upstreamContext, ServerSpec spec, ServerRuntime.Place place) {
        this.owner = place.owner();
        this.platform = upstreamContext.platform();
        this.key = spec.key();
        this.whenClosed = spec.whenClosed();
        this.reloadLogin = spec.reloadLogin();
        this.poolPolicy = spec.poolPolicy();
        String server = spec.frontTarget().settings().server();
        this.lifecycle = new ServerLifecycle(
                platform, new ServerLifecycle.Subject(server, spec.life()), owner, upstreamContext.events());
        this.pingLimit = spec.life().polls().limit();
        UpstreamConnectionListener.Callbacks callbacks =
                new UpstreamConnectionListener.Callbacks(owner::connected, owner::lost, this::cause);
        this.frontTarget = spec.frontTarget()
                .behind(connector -> new GuardedConnector(poolPolicy.behind(connector, () -> borrower), lifecycle))
                .under(spec.frontTarget()
                        .connectionGovernor()
                        .withListener(new UpstreamConnectionListener(
                                platform, () -> settings.pipeline(), lifecycle, callbacks)));
        this.cached = new CachedServerEntry(upstreamContext.platform(), upstreamContext.catalogStore(), server, key);
        this.endpoint = new DetectedEndpoint(platform, frontTarget, upstreamContext.secrets(), cached);
        CallPipeline pipeline = spec.pipeline().apply(place.instance());
        this.settings = new Settings(spec.rules(), pipeline, pipeline.arbiter(liveness()));
    }

    Settings settings() {
        return settings;
    }

    /// Higher than that of each earlier generation, also of other servers.
    long number() {
        return number;
    }

    FrontTarget frontTarget() {
        return frontTarget;
    }

    /// Reads the stored login of the server again. Blocks on disk access.
    void reloadLogin() {
        reloadLogin.run();
    }

    /// The server's identity in the cache; empty if it is not cached.
    String identity() {
        return key.identity();
    }

    /// The server's cache entry.
    CachedServerEntry cached() {
        return cached;
    }

    /// The longest time to a connection, the wait in the pool queue included.
    Duration connectLimit() {
        return frontTarget
                .settings()
                .connectTimeout()
                .plus(frontTarget.connector().turn());
    }

    UpstreamEndpoint endpoint() {
        return endpoint;
    }

    /// Admits a call, which must end with [#leave]; false if this generation is closed.
    boolean enter() {
        return drainLatch.enter();
    }

    /// The number of calls and readings in progress.
    int inFlight() {
        return drainLatch.inFlight();
    }

    boolean isClosed() {
        return drainLatch.isClosed();
    }

    /// Notes the client of an admitted call.
    void begin(Object forClient) {
        client = forClient;
    }

    /// Creates the pipeline's view of a call.
    PipelineCall pipelineCall(Call call, PipelineCall.Kind kind, Object asker) {
        return new PipelineCall(call, kind, asker, endpoint);
    }

    /// Marks the next connection as opened for one catalog reading only, until a client calls. False if it
    /// would take the place of another server's connection.
    boolean visit() {
        isVisit = poolPolicy.hasRoom() && drainLatch.inFlight() == 0;
        return isVisit;
    }

    /// Notes a client call: the connection is now kept as long as any other.
    void stay() {
        isVisit = false;
    }

    /// Ends an admitted call.
    void leave() {
        drainLatch.leave();
        poolPolicy.rested(borrower);
    }

    /// Notes that the catalog has been read.
    void rested() {
        poolPolicy.rested(borrower);
    }

    /// Whether the connection is closed as soon as it is idle; a subscription is not worthwhile then.
    boolean isBrief() {
        return borrower.idlePolicy().isBrief();
    }

    ServerLifecycle lifecycle() {
        return lifecycle;
    }

    /// Whether it was connected and no longer has a live connection.
    boolean isResting() {
        return lifecycle.wasConnected()
                && !endpoint.hasReceived(platform.ticker().nanos());
    }

    private Liveness liveness() {
        return new HealthCheck(endpoint.liveness(), lifecycle);
    }

    /// Whether each session has its own process.
    boolean isIsolated() {
        return frontTarget.connectionGovernor().connectionSharing().isBySession();
    }

    /// Whether sessions share its processes once the server has shown that it asks nothing of its client.
    boolean isAdaptive() {
        return frontTarget.connectionGovernor().connectionSharing().isolation() == Isolation.ADAPTIVE;
    }

    /// Whether a process may keep state of a session beyond its calls.
    boolean keepsState() {
        return isIsolated() && lifecycle.isProcess() && !isBrief();
    }

    /// Forwards a notification of a session to its own server process.
    void forwardNotification(ClientSession clientSession, byte[] notification) {
        endpoint.forwardNotification(clientSession, notification);
    }

    /// Applies a session's new log level.
    void levelChanged(ClientSession clientSession) {
        endpoint.levelChanged(clientSession);
    }

    /// Whether the session has a live connection of its own.
    boolean hasOwn(ClientSession clientSession) {
        return endpoint.hasOwn(clientSession);
    }

    /// Ends the endpoint of a session that has ended.
    void left(ClientSession clientSession) {
        endpoint.left(clientSession);
    }

    /// Whether the server may hold state for a client.
    boolean isStateful() {
        return !endpoint.isStateless();
    }

    /// The session to which a crash is attributed: one session must not use up the crash budget of a server that
    /// others share. Clients without sessions cannot be distinguished.
    private @Nullable Object cause(Connection connection) {
        Object only = isIsolated() ? null : settings.pipeline().onlyClient(connection);
        return only instanceof RequestOrigin.Anonymous ? null : only;
    }

    /// Whether the server answers a health check.
    boolean isThere() {
        return endpoint.checkHealth(platform.ticker().nanos(), pingLimit) == HealthCheckResult.ALIVE;
    }

    /// Refuses new calls. Calls in flight finish; the connections are then closed by the drain.
    void retire() {
        drainLatch.close();
        lifecycle.close();
    }

    /// Replaces the rules. Calls in flight keep the old ones.
    void govern(PipelineRules pipelineRules, ServerPolicy policy, LifecycleSettings life) {
        pingLimit = life.polls().limit();
        lifecycle.govern(life);
        CallPipeline next = settings.pipeline().under(pipelineRules);
        settings = new Settings(policy, next, next.arbiter(liveness()));
    }

    /// Whether no call is in flight.
    public boolean isEmpty() {
        return drainLatch.inFlight() == 0;
    }

    /// Refuses new calls, and closes when all have left, or when the limit is over.
    public void drain(Duration limit) {
        retire();
        try {
            if (!drainLatch.awaitEmpty(platform, limit)) {
                LOG.log(System.Logger.Level.WARNING, late(limit));
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    private String late(Duration limit) {
        return frontTarget.settings().server() + " was changed or removed; ending " + drainLatch.inFlight()
                + " calls that were still in flight after " + limit.toMillis() + " ms";
    }

    /// Ends calls in flight and connections. May be called again.
    public void close() {
        retire();
        if (closed.compareAndSet(false, true)) {
            poolPolicy.dismiss(borrower);
            endpoint.close();
            whenClosed.run();
        }
    }

    /// This generation as a borrower of the pool.
    private final class PoolBorrower implements Borrower {
        @Override
        public String server() {
            return frontTarget.settings().server();
        }

        @Override
        public IdlePolicy idlePolicy() {
            return isVisit ? VISIT : poolPolicy.idlePolicy();
        }

        @Override
        public boolean isWanted() {
            return drainLatch.inFlight() > 0 || owner.isReading();
        }

        @Override
        public boolean isRetired() {
            return drainLatch.isClosed();
        }

        @Override
        public Object client() {
            return client;
        }
    }
}
