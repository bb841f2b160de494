package dev.fusebox.gateway.upstream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.Isolation;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.gateway.era.ClientSession;
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

/// What leads to a server as one configuration describes it, and who is on it. When that description is another,
/// so is the line; when only the rules of calls are, the lane before it is exchanged. Thread-safe; [#drain]
/// blocks.
final class ServerGeneration {
    private static final System.Logger LOG = LazyLoggers.of(ServerGeneration.class);

    /// Longer than any connection lasts.
    private static final long AGES = Long.MAX_VALUE / 2;

    private static final IdlePolicy VISIT = new IdlePolicy.Ephemeral(Duration.ZERO);

    private final Platform platform;
    private final CacheKey key;
    private final CachedServerEntry cached;
    private final FrontTarget frontTarget;
    private final DetectedEndpoint target;
    private final ServerLifecycle lifecycle;
    private volatile Duration pingLimit;
    private final Runnable whenClosed;
    private final PoolPolicy poolPolicy;
    private final Borrower borrower = new Tenancy();
    private final Owner owner;
    private final DrainLatch drainLatch = new DrainLatch();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile CallPipeline pipeline;

    /// Who was the last to come in: whose turn it is if a connection has to be waited for.
    private volatile Object client = this;

    /// Whether the connection is for one reading, and no call has come since.
    private volatile boolean isVisit;

    /// Whose line it is. Nothing here may block.
    interface Owner extends ServerLifecycle.Errands {
        /// Whether what the server offers is being read, or will be in a moment.
        boolean isReading();
    }

    /// @param owner does for the server what is due; reading comes with every new connection
    ServerGeneration(UpstreamContext upstreamContext, ServerSpec spec, CallPipeline pipeline, Owner owner) {
        this.owner = owner;
        this.platform = upstreamContext.platform();
        this.key = spec.key();
        this.pipeline = pipeline;
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
                        .heardBy(new UpstreamConnectionListener(platform, new ToLane(), lifecycle, beside)));
        this.cached = new CachedServerEntry(upstreamContext, server, key);
        this.target = new DetectedEndpoint(platform, frontTarget, upstreamContext.secrets(), cached);
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
        return target;
    }

    DrainLatch drainLatch() {
        return drainLatch;
    }

    /// Somebody who has come in by the door has this work done.
    void work(Object forClient) {
        client = forClient;
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

    /// Whoever came in by the door leaves it.
    void leave() {
        drainLatch.leave();
        poolPolicy.rested(borrower);
    }

    /// What the server offers has been read.
    void rested() {
        poolPolicy.rested(borrower);
    }

    /// Whether the server is gone as soon as it has nothing to do: then there is nobody to listen to.
    boolean isBrief() {
        return borrower.idlePolicy().isBrief();
    }

    ServerLifecycle lifecycle() {
        return lifecycle;
    }

    /// Whether it was connected and is not any more.
    boolean isResting() {
        return lifecycle.wasConnected() && !target.heardSince(platform.ticker().nanos() - AGES);
    }

    /// Signs of life of the server, for whoever doubts that it lives.
    Liveness liveness() {
        return new HealthCheck(target.liveness(), lifecycle);
    }

    /// Whether guests have servers of their own there.
    boolean isIsolated() {
        return frontTarget.connectionGovernor().connectionSharing().isolation() == Isolation.SESSION;
    }

    /// A guest tells its own server something.
    void tell(ClientSession clientSession, byte[] notification) {
        target.tell(clientSession, notification);
    }

    /// A guest wants log lines of its own server from another level on.
    void levelChanged(ClientSession clientSession) {
        target.levelChanged(clientSession);
    }

    /// What was a guest's alone ends.
    void left(ClientSession clientSession) {
        target.left(clientSession);
    }

    /// Whether it may remember who has called it: sessions are made to be remembered.
    boolean isStateful() {
        return !target.isStateless();
    }

    /// One session that crashes a server which others share must not use up the server's crash budget. Clients
    /// without sessions cannot be told apart.
    private @Nullable Object cause(Connection connection) {
        Object client = isIsolated() ? null : pipeline.onlyClient(connection);
        return client instanceof Router ? null : client;
    }

    /// Whether the server answers when it is asked for a sign of life.
    boolean isThere() {
        return target.pulse(platform.ticker().nanos(), pingLimit) == ReconnectingConnection.Pulse.FELT;
    }

    /// Lets nobody more in. Who is on it goes on, and what becomes of its connections is nobody's matter any more.
    void retire() {
        drainLatch.close();
        lifecycle.close();
    }

    /// It is kept alive by other rules from now on.
    void govern(LifecycleSettings rules) {
        pingLimit = rules.polls().limit();
        lifecycle.govern(rules);
    }

    /// From now on this lane hears of the connections.
    void behind(CallPipeline other) {
        pipeline = other;
    }

    /// Whether no call is on it.
    boolean isEmpty() {
        return drainLatch.inside() == 0;
    }

    /// Lets nobody more in, and closes when all have left, or when their time is over.
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
        return frontTarget.settings().server() + " was changed or removed, and " + drainLatch.inside()
                + " calls to it were still under way after " + limit.toMillis() + " ms; they are ended";
    }

    /// Ends what is on it. Safe to call again.
    void close() {
        retire();
        if (closed.compareAndSet(false, true)) {
            poolPolicy.dismiss(borrower);
            target.close();
            whenClosed.run();
        }
    }

    /// The server's connection, as the pool sees it.
    private final class Tenancy implements Borrower {
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

    /// The lane that there is at the moment.
    private final class ToLane implements ConnectionListener {
        @Override
        public void connecting() {
            pipeline.connecting();
        }

        @Override
        public void connected(Connection connection) {
            pipeline.connected(connection);
        }

        @Override
        public void failed(CallFailure failure) {
            pipeline.failed(failure);
        }

        @Override
        public void lost(Connection connection, CallFailure failure) {
            pipeline.lost(connection, failure);
        }
    }
}
