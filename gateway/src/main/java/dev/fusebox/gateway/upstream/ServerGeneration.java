package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.TimeoutArbiter;
import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.Isolation;
import dev.fusebox.config.LifecycleSettings;
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
import org.jspecify.annotations.Nullable;

/// A server under one configuration: its settings, call pipeline, endpoint and lifecycle, and the calls that are
/// in flight. A change of how the server is reached begins a new generation; a change of rules replaces [Settings]
/// in the same generation. Thread-safe; only [#drain] and [#isThere] block.
final class ServerGeneration {
    private static final System.Logger LOG = LazyLoggers.of(ServerGeneration.class);

    /// Longer than any connection lasts.
    private static final long AGES = Long.MAX_VALUE / 2;

    private static final IdlePolicy VISIT = new IdlePolicy.Ephemeral(Duration.ZERO);

    private final Platform platform;
    private final CacheKey key;
    private final CachedServerEntry cached;
    private final FrontTarget frontTarget;
    private final DetectedEndpoint endpoint;
    private final ServerLifecycle lifecycle;
    private volatile Duration pingLimit;
    private final Runnable whenClosed;
    private final PoolPolicy poolPolicy;
    private final Borrower borrower = new PoolBorrower();
    private final Owner owner;
    private final DrainLatch drainLatch = new DrainLatch();
    private final AtomicBoolean closed = new AtomicBoolean();

    /// Written under the monitor of the runtime only.
    private volatile Settings settings;

    /// The client that called last, whose turn it is if a connection has to be waited for.
    private volatile Object client = this;

    /// Whether the connection is for one reading, and no call has come since.
    private volatile boolean isVisit;

    /// The rules for calls. Immutable but for pipeline and arbiter.
    record Settings(ServerPolicy policy, CallPipeline pipeline, TimeoutArbiter arbiter) {}

    /// The server that it belongs to. Nothing here may block.
    interface Owner extends ServerLifecycle.Errands {
        /// Whether the catalog is being read, or will be in a moment.
        boolean isReading();
    }

    /// @param owner carries out what is due; the catalog is read with every new connection
    ServerGeneration(UpstreamContext upstreamContext, ServerSpec spec, Owner owner) {
        this.owner = owner;
        this.platform = upstreamContext.platform();
        this.key = spec.key();
        this.whenClosed = spec.whenClosed();
        this.poolPolicy = spec.poolPolicy();
        String server = spec.frontTarget().settings().server();
        this.lifecycle = new ServerLifecycle(
                platform, new ServerLifecycle.Subject(server, spec.life()), owner, upstreamContext.events());
        this.pingLimit = spec.life().polls().limit();
        UpstreamConnectionListener.Beside beside = new UpstreamConnectionListener.Beside(owner::connected, this::cause);
        this.frontTarget = spec.frontTarget()
                .behind(connector -> new GuardedConnector(poolPolicy.behind(connector, () -> borrower), lifecycle))
                .under(spec.frontTarget()
                        .connectionGovernor()
                        .heardBy(new UpstreamConnectionListener(
                                platform, () -> settings.pipeline(), lifecycle, beside)));
        this.cached = new CachedServerEntry(upstreamContext, server, key);
        this.endpoint = new DetectedEndpoint(platform, frontTarget, upstreamContext.secrets(), cached);
        CallPipeline pipeline = spec.pipeline().get();
        this.settings = new Settings(spec.rules(), pipeline, pipeline.arbiter(liveness()));
    }

    Settings settings() {
        return settings;
    }

    FrontTarget frontTarget() {
        return frontTarget;
    }

    /// What it is remembered by; empty if it is not.
    String identity() {
        return key.identity();
    }

    /// What the cache holds of the server.
    CachedServerEntry cached() {
        return cached;
    }

    /// How long it may take until there is a connection, its turn included.
    Duration connectLimit() {
        return frontTarget
                .settings()
                .connectTimeout()
                .plus(frontTarget.connector().turn());
    }

    UpstreamEndpoint endpoint() {
        return endpoint;
    }

    /// Lets a call in, which leaves with [#leave]; false if this generation is closed.
    boolean enter() {
        return drainLatch.enter();
    }

    /// Calls and readings that are under way.
    int inside() {
        return drainLatch.inside();
    }

    boolean isClosed() {
        return drainLatch.isClosed();
    }

    /// Notes which client a call that has entered is for.
    void begin(Object forClient) {
        client = forClient;
    }

    /// A call for the pipeline.
    PipelineCall pipelineCall(Call call, PipelineCall.Kind kind, Object asker) {
        return new PipelineCall(call, kind, asker, endpoint);
    }

    /// From now on, until a client calls, the next connection is for one reading only. False if it would take the
    /// place of another server's.
    boolean visit() {
        isVisit = poolPolicy.hasRoom() && drainLatch.inside() == 0;
        return isVisit;
    }

    /// A client calls: the connection stays as long as others do.
    void stay() {
        isVisit = false;
    }

    /// A call that has entered leaves.
    void leave() {
        drainLatch.leave();
        poolPolicy.rested(borrower);
    }

    /// The catalog has been read.
    void rested() {
        poolPolicy.rested(borrower);
    }

    /// Whether the connection ends as soon as it is idle: then no subscription is worth its while.
    boolean isBrief() {
        return borrower.idlePolicy().isBrief();
    }

    ServerLifecycle lifecycle() {
        return lifecycle;
    }

    /// Whether it was connected and is not any more.
    boolean isResting() {
        return lifecycle.wasConnected()
                && !endpoint.heardSince(platform.ticker().nanos() - AGES);
    }

    private Liveness liveness() {
        return new HealthCheck(endpoint.liveness(), lifecycle);
    }

    /// Whether each session has a process of its own.
    boolean isIsolated() {
        return frontTarget.connectionGovernor().connectionSharing().isolation() == Isolation.SESSION;
    }

    /// Passes a notification of a session to its own server.
    void tell(ClientSession clientSession, byte[] notification) {
        endpoint.tell(clientSession, notification);
    }

    /// A session has set another log level.
    void levelChanged(ClientSession clientSession) {
        endpoint.levelChanged(clientSession);
    }

    /// Ends the endpoint of a session that has ended.
    void left(ClientSession clientSession) {
        endpoint.left(clientSession);
    }

    /// Whether the server may keep state for a client.
    boolean isStateful() {
        return !endpoint.isStateless();
    }

    /// One session that crashes a server which others share must not use up the server's crash budget. Clients
    /// without sessions cannot be told apart.
    private @Nullable Object cause(Connection connection) {
        Object only = isIsolated() ? null : settings.pipeline().onlyClient(connection);
        return only instanceof RequestOrigin.Anonymous ? null : only;
    }

    /// Whether the server answers a health check.
    boolean isThere() {
        return endpoint.pulse(platform.ticker().nanos(), pingLimit) == ReconnectingConnection.Pulse.FELT;
    }

    /// Lets no call in any more. Calls in flight finish; the connections are then closed by the drain.
    void retire() {
        drainLatch.close();
        lifecycle.close();
    }

    /// Changes the rules. Calls in flight keep theirs.
    void govern(PipelineRules pipelineRules, ServerPolicy policy, LifecycleSettings life) {
        pingLimit = life.polls().limit();
        lifecycle.govern(life);
        CallPipeline next = settings.pipeline().under(pipelineRules);
        settings = new Settings(policy, next, next.arbiter(liveness()));
    }

    /// Whether no call is in flight.
    boolean isEmpty() {
        return drainLatch.inside() == 0;
    }

    /// Lets no call in any more, and closes when all have left, or when the limit is over.
    void drain(Duration limit) {
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
        return frontTarget.settings().server() + " was changed or removed; ending " + drainLatch.inside()
                + " calls that were still in flight after " + limit.toMillis() + " ms";
    }

    /// Ends calls in flight and connections. May be called again.
    void close() {
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
            return drainLatch.inside() > 0 || owner.isReading();
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
