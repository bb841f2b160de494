package dev.fusebox.gateway.upstream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.gateway.catalog.CachedContents;
import dev.fusebox.gateway.catalog.CachedServerEntry;
import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.catalog.CatalogFetcher;
import dev.fusebox.gateway.catalog.ServerCatalog;
import dev.fusebox.gateway.catalog.ServerLabel;
import dev.fusebox.gateway.catalog.ToolDifferences;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.gateway.task.ServerTasks;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One upstream server: its catalog, its current configuration generation, and its lifecycle. Thread-safe;
/// calls block at most until their deadline, and operator commands until the resulting state is known.
public final class UpstreamServer {
    private final ServerCatalog catalog;
    private final ServerTasks serverTasks;
    private final LifecycleTasks lifecycleTasks;
    private final ServerRuntime runtime;
    private final GatewayRequests requests;
    private final ServerSubscriptions subscriptions;
    private final ServerControls controls;
    private final ToolSnapshots toolSnapshots = new ToolSnapshots();
    private final SessionCatalog lists;
    private final ServerSessions sessions;
    private final ServerNames names;
    private final ProcessGroups groups;
    private final ServerViews views = new ServerViews();
    private final int instance;
    private final ServerCalls calls;

    /// @param instance its number among the servers of this id
    /// @param view the first view in which it stands
    UpstreamServer(UpstreamContext upstreamContext, ServerSpec spec, int instance, ServerView view) {
        views.add(view);
        this.instance = instance;
        Platform platform = upstreamContext.platform();
        this.catalog = new ServerCatalog(platform, new ListReading(views));
        SessionSettings settings = spec.frontTarget().settings();
        this.serverTasks = new ServerTasks(platform, settings.server(), upstreamContext.taskIds());
        this.lifecycleTasks = new LifecycleTasks(catalog, serverTasks, this::isBusy, this::ping);
        this.runtime = new ServerRuntime(upstreamContext, spec, new ServerRuntime.Place(lifecycleTasks, instance));
        this.groups = new ProcessGroups(
                id(),
                new ProcessGroups.Setting(platform, () -> runtime.generation().isAdaptive(), this::cached),
                this::lists);
        this.requests = new GatewayRequests(upstreamContext, runtime, new GatewayRequests.Clients(views, groups), this);
        this.lists = new SessionCatalog(runtime, requests, groups, new SessionCatalog.Shared(catalog, views));
        this.names = new ServerNames(runtime, lists, catalog);
        this.controls = new ServerControls(platform, runtime, requests, catalog);
        this.subscriptions = new ServerSubscriptions(
                platform,
                requests,
                groups,
                new ServerSubscriptions.Server(
                        id(), serverTasks, () -> runtime.generation().isIsolated(), views, catalog::stale));
        this.sessions = new ServerSessions(runtime, groups, subscriptions, lists);
        RequestStateSigner requestStateSigner = new RequestStateSigner(
                platform.ticker(),
                upstreamContext.secrets(),
                () -> settings.questions().refuse(settings.server()));
        this.calls = new ServerCalls(
                runtime, groups, requestStateSigner, new ServerCalls.Parts(subscriptions, catalog, lists, serverTasks));
    }

    public String id() {
        return runtime.id();
    }

    /// The views in which it stands.
    ServerViews views() {
        return views;
    }

    /// Its name where several servers have its id.
    public String label() {
        return new ServerLabel(id(), instance).toString();
    }

    /// Replaces the configuration; calls in flight finish under the old one. Returns the old generation, to be
    /// drained; [#renew] then reads the lists on the new one.
    public ServerGeneration reconfigure(ServerSpec spec) {
        ServerGeneration last = runtime.replaceGeneration(spec);
        requests.leave(last);
        serverTasks.release();
        lists.clear();
        if (!identity().equals(last.identity())) {
            catalog.forget();
        }
        return last;
    }

    /// Reads the lists again after a change of the configuration.
    public void renew() {
        subscriptions.renew();
        if (health().status() != ServerStatus.IDLE || catalog.isLive() || !catalog.isIdle()) {
            catalog.invalidate();
        }
    }

    /// Applies new rules to calls and lifecycle.
    public void govern(PipelineRules pipelineRules, ServerPolicy policy, LifecycleSettings life) {
        boolean wasGivenUp = health().status() == ServerStatus.PERMANENTLY_FAILED;
        runtime.govern(pipelineRules.ofInstance(instance), policy, life);
        if (wasGivenUp) {
            catalog.invalidate();
        }
    }

    /// Refuses new calls. Returns the generation to be drained.
    public ServerGeneration leave() {
        ServerGeneration last = runtime.leave();
        requests.leave(last);
        serverTasks.release();
        lists.close();
        catalog.close();
        subscriptions.close();
        return last;
    }

    /// The number of calls and readings in progress on the current generation.
    public int inFlight() {
        return runtime.count();
    }

    private boolean isBusy() {
        return !health().status().isDown() && inFlight() > 0;
    }

    ServerCatalog catalog() {
        return catalog;
    }

    /// Its identity in the cache; empty if it is not cached.
    String identity() {
        return runtime.generation().identity();
    }

    /// Sets the contents from the cache; false if newer ones have been read.
    boolean restore(CachedContents entry) {
        boolean isNew = catalog.restore(entry.contents());
        if (isNew) {
            lists.restore(entry.profile());
        }
        return isNew;
    }

    /// Its cache entry.
    public CachedServerEntry cached() {
        return runtime.generation().cached();
    }

    public CatalogContents contents() {
        return catalog.contents();
    }

    /// The reading of its lists; null if they are known, or if the server must not be called.
    public ServerCatalog.@Nullable Reading want() {
        return runtime.lifecycle().isRefusing() ? null : catalog.want();
    }

    /// Its lists for single clients.
    public SessionCatalog lists() {
        return lists;
    }

    /// The reading of outdated lists on a temporary connection, which is closed unless it is used for something
    /// else; null if the pool has no free place, or there is nothing to read.
    ServerCatalog.@Nullable Reading visit() {
        return runtime.lifecycle().refusal() == null && runtime.generation().visit() ? catalog.wantLive() : null;
    }

    /// The same for frequent callers: a reading that has just failed is not repeated by them.
    public ServerCatalog.@Nullable Reading wantAfter(Duration rest) {
        return catalog.failedWithin(rest) ? null : want();
    }

    /// The same, unless the last reading has failed.
    public void wantUnlessFailed() {
        if (catalog.failure() == null) {
            want();
        }
    }

    /// The reading that confirms lists from the cache; null as above.
    ServerCatalog.@Nullable Reading wantLive() {
        return runtime.lifecycle().isRefusing() ? null : catalog.wantLive();
    }

    /// Why the server could not be reached when its lists were read last; null if it was reached, or if that is
    /// unknown.
    @Nullable
    CallFailure unreached() {
        CallFailure failure = catalog.failure();
        return failure == null || failure.delivery() == Delivery.REJECTED || failure.category() == FailureCategory.LOCAL
                ? null
                : failure.unsent();
    }

    /// Whether its contents were ever known, in this run or an earlier one.
    public boolean isKnown() {
        return catalog.isKnown();
    }

    /// Whether its contents were read since the gateway started.
    public boolean isLive() {
        return catalog.isLive();
    }

    /// Whether none of its lists is being read.
    public boolean isAtRest() {
        return catalog.isIdle();
    }

    /// The current rules for calls to it.
    public ServerPolicy rules() {
        return runtime.rules();
    }

    public boolean isHealthy() {
        return runtime.pipeline().isHealthy();
    }

    /// Whether a call would be admitted, perhaps as a probe.
    public boolean isReady() {
        return runtime.pipeline().isReady();
    }

    /// The number of running and queued calls.
    public int load() {
        CallPipeline pipeline = runtime.pipeline();
        return pipeline.inFlight() + pipeline.waiting();
    }

    /// Whether it may hold state for a client.
    public boolean isStateful() {
        return runtime.generation().isStateful();
    }

    /// Its current status snapshot.
    ///
    /// @param sameName how it differs from other servers of the same id
    public ServerSnapshot snapshot(SameNameServers sameName) {
        ServerGeneration.Settings now = runtime.generation().settings();
        List<ServerSnapshot.Tool> tools = toolSnapshots.of(id(), contents(), now.policy());
        List<String> failed = List.copyOf(new TreeMap<>(catalog.failures()).values());
        return new ServerSnapshot(
                id(),
                now.pipeline(),
                null,
                catalog.isKnown(),
                catalog.failure(),
                health(),
                tools,
                failed,
                new ServerSnapshot.Sharing(label(), groups.sharing(views.all(), runtime.generation()), sameName));
    }

    /// Under which names clients see what it offers.
    public ServerNames names() {
        return names;
    }

    /// This server as seen by its catalog.
    private final class ListReading implements ServerCatalog.Server {
        private final CatalogListener catalogListener;

        /// The number of restarts when the last catalog reading began.
        private volatile int restarts;

        ListReading(CatalogListener catalogListener) {
            this.catalogListener = catalogListener;
        }

        @Override
        public CatalogFetcher.Listed read() {
            ServerLifecycle lifecycle = runtime.lifecycle();
            restarts = lifecycle.restarts();
            ClientMetadata reader = lists.reader();
            CatalogFetcher.Listed listed = requests.lists(reader, catalog::mayStart, catalog.last());
            if (listed instanceof CatalogFetcher.Listed.All) {
                lists.listedFor(reader);
                if (!runtime.generation().isBrief()) {
                    subscriptions.begin();
                }
                lifecycle.read(restarts);
            }
            return listed;
        }

        /// Breakers of removed tools are dropped after the change is published: until then calls would create
        /// them again.
        @Override
        public void changed(CatalogContents before) {
            catalogListener.changed();
            CatalogContents now = catalog.contents();
            ToolDifferences.removed(before, now).forEach(runtime.pipeline()::forget);
            if (catalog.isKnown()) {
                ToolDifferences.between(before, now).ifPresent(runtime.lifecycle()::offers);
            }
        }

        @Override
        public void ended(@Nullable CallFailure failure) {
            ServerLifecycle lifecycle = runtime.lifecycle();
            if (failure == null) {
                cached().listed(catalog.contents(), lists.profile());
                if (lifecycleTasks.noteReading()) {
                    lifecycle.offers(ToolDifferences.discovered(catalog.contents()));
                }
                lifecycle.listsAnnounced();
            } else {
                lifecycle.unread(restarts, failure);
            }
        }

        @Override
        public void atRest() {
            runtime.generation().rested();
        }

        @Override
        public boolean isResting() {
            return runtime.generation().isResting();
        }

        @Override
        public boolean isDown() {
            return runtime.lifecycle().isUnavailable();
        }
    }

    /// The calls that clients make to it.
    public ServerCalls calls() {
        return calls;
    }

    /// The client sessions that use it.
    public ServerSessions sessions() {
        return sessions;
    }

    public ServerHealth health() {
        return runtime.lifecycle().health();
    }

    /// The operator's commands for it.
    public ServerControls controls() {
        return controls;
    }

    /// Performs a health check. Blocks for the answer.
    public Outcome ping() {
        return requests.ping();
    }

    /// Connects and reads its lists in the background.
    public void wake() {
        catalog.refresh();
    }

    /// The lifecycle of the current generation.
    public ServerLifecycle lifecycle() {
        return runtime.lifecycle();
    }

    /// The subscriptions to its changes.
    public ServerSubscriptions subscriptions() {
        return subscriptions;
    }

    /// Closes the server and ends its calls in flight.
    public void close() {
        runtime.end();
        leave().close();
    }
}
