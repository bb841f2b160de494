package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.gateway.catalog.CachedContents;
import dev.fusebox.gateway.catalog.CachedServerEntry;
import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.CatalogFetcher;
import dev.fusebox.gateway.catalog.ServerCatalog;
import dev.fusebox.gateway.catalog.ServerLabel;
import dev.fusebox.gateway.catalog.ToolDifferences;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One upstream server: its catalog, its current configuration generation, and its lifecycle. Thread-safe;
/// calls block at most until their deadline, and operator commands until the resulting state is known.
public final class UpstreamServer {
    private final ServerCatalog catalog;
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
    private final RequestStateSigner requestStateSigner;

    /// Client calls in flight.
    private final AtomicInteger working = new AtomicInteger();

    /// @param instance its number among the servers of this id
    /// @param view the first view in which it stands
    UpstreamServer(UpstreamContext upstreamContext, ServerSpec spec, int instance, ServerView view) {
        views.add(view);
        this.instance = instance;
        Platform platform = upstreamContext.platform();
        SessionSettings settings = spec.frontTarget().settings();
        this.requestStateSigner = new RequestStateSigner(
                platform.ticker(),
                upstreamContext.secrets(),
                () -> settings.questions().refuse(settings.server()));
        this.catalog = new ServerCatalog(platform, new ListReading(views));
        this.lifecycleTasks = new LifecycleTasks(catalog, this::isBusy, this::ping);
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
                new ServerSubscriptions.Server(id(), () -> runtime.generation().isIsolated(), views, catalog::stale));
        this.sessions = new ServerSessions(runtime, groups, subscriptions, lists);
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

    /// The default time limit of a call.
    public Duration timeout() {
        return runtime.rules().timeout();
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

    /// The id of its backup; null if there is none.
    @Nullable
    public String backup() {
        return runtime.rules().backup();
    }

    /// Which calls of this tool may be sent again, according to the configuration.
    public RetrySafety retrySafety(String tool) {
        return runtime.rules().retrySafety(tool);
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

    /// The client sessions that use it.
    public ServerSessions sessions() {
        return sessions;
    }

    /// Makes a call of a client.
    ///
    /// @param tool the called tool; null if none is called, or it is not listed
    /// @param isFirst whether this is the first server that gets the call; a later one continues on the
    ///     remaining time
    public Outcome call(Call made, @Nullable CatalogEntry tool, RequestOrigin from, boolean isFirst) {
        if (isFirst) {
            made.slot().toServer(id());
        } else {
            made.slot().release();
        }
        RequestStateSigner.Verified verified = requestStateSigner.verify(made);
        if (verified.refusal() != null) {
            return verified.refusal();
        }
        ServerGeneration generation = runtime.enter();
        if (generation == null) {
            return new Outcome.Failed(runtime.closed());
        }
        Outcome outcome;
        working.incrementAndGet();
        ProcessGroups.Entry entry = groups.begin(made.client());
        try {
            ServerGeneration.Settings rules = generation.settings();
            Call call = verified.call().of(entry.client());
            if (isFirst) {
                call.deadline().limit(from.time(rules.policy().timeout()));
            }
            PipelineCall pipelineCall = generation.pipelineCall(call, kind(rules, call, tool), from.asker());
            CallFailure refusal = generation.lifecycle().refusal();
            if (refusal != null) {
                return rules.pipeline().refused(pipelineCall, refusal);
            }
            generation.stay();
            generation.begin(from.asker());
            outcome = rules.pipeline().call(pipelineCall, rules.arbiter());
            generation.lifecycle().called(outcome);
            groups.note(entry, generation, outcome);
            if (outcome instanceof Outcome.Answered) {
                subscriptions.called(entry.session());
                catalog.catchUp();
                lists.catchUp(entry.client());
            }
        } finally {
            entry.end();
            working.decrementAndGet();
            // Last: a server that ends when it is idle would be started again for its lists.
            generation.leave();
        }
        return ServerQuestionLabels.of(
                id(), requestStateSigner.sign(verified, groups.report(entry, generation, outcome)));
    }

    private static PipelineCall.Kind kind(ServerGeneration.Settings rules, Call call, @Nullable CatalogEntry tool) {
        String method = call.request().method();
        // What a method of an unknown extension does is unknown, as with a tool that is not listed.
        boolean mayChange = method.equals("tools/call") || isOfForeignExtension(method);
        return mayChange ? rules.policy().kind(tool) : PipelineCall.Kind.READING;
    }

    /// The names of extensions begin with a domain, those of methods of the protocol do not.
    private static boolean isOfForeignExtension(String method) {
        return method.lastIndexOf('.', Math.max(0, method.indexOf('/'))) >= 0;
    }

    /// Whether this call carries the client's answer to a question of this server.
    public boolean waitsFor(Call call) {
        return requestStateSigner.isOf(call);
    }

    /// Refuses a call, and reports the refusal to the observer.
    public Outcome refused(Call call, @Nullable CatalogEntry tool, RequestOrigin from, CallFailure why) {
        ServerGeneration generation = runtime.generation();
        ServerGeneration.Settings rules = generation.settings();
        PipelineCall refused = generation.pipelineCall(call, rules.policy().kind(tool), from.asker());
        return rules.pipeline().refused(refused, why);
    }

    public ServerHealth health() {
        return runtime.lifecycle().health();
    }

    /// The operator's commands for it.
    public ServerControls controls() {
        return controls;
    }

    /// Whether it works on a client's call. Such a server counts as healthy, though it may answer nothing else
    /// meanwhile.
    public boolean isAtWork() {
        return working.get() > 0;
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
