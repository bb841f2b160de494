package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.gateway.era.UpstreamSubscription;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One server among many: what it offers, and the terms on which it is called, which may change. Thread-safe;
/// calls block for as long as their caller has patience, and what an operator does until it is known how the
/// server is then.
final class UpstreamServer {
    private final UpstreamContext upstreamContext;
    private final ServerCatalog catalog;
    private final LifecycleTasks lifecycleTasks;
    private final ServerRuntime runtime;
    private final GatewayRequests requests;
    private final UpstreamSubscription upstreamSubscription;
    private final ServerControls controls;
    private final ToolSnapshots toolSnapshots = new ToolSnapshots();
    private final SessionCatalog sessions;

    private final RequestStateSigner requestStateSigner;

    /// How often the server had been started anew when the last reading of what it offers began.
    private volatile int restarts;

    /// Calls of clients that are under way.
    private final AtomicInteger working = new AtomicInteger();

    /// @param catalogListener hears what changes; must not block
    UpstreamServer(UpstreamContext upstreamContext, ServerSpec spec, CatalogListener catalogListener) {
        Platform platform = upstreamContext.platform();
        this.upstreamContext = upstreamContext;
        SessionSettings settings = spec.frontTarget().settings();
        this.requestStateSigner = new RequestStateSigner(
                platform.ticker(),
                upstreamContext.secrets(),
                () -> settings.questions().refuse(settings.server()));
        this.catalog = new ServerCatalog(
                        platform, this::read, before -> changed(before, catalogListener), this::readingEnded)
                .atRest(this::rested)
                .sparing(this::isResting)
                .leaving(this::isAway);
        this.lifecycleTasks = new LifecycleTasks(new HealthChecks(), catalog);
        this.runtime = new ServerRuntime(upstreamContext, spec, lifecycleTasks);
        this.requests = new GatewayRequests(upstreamContext, runtime, this);
        this.sessions = new SessionCatalog(
                platform,
                catalog,
                requests,
                new SessionCatalog.Server(
                        id(),
                        upstreamContext.pages(),
                        runtime,
                        (client, kinds) -> catalogListener.changed(client, kinds)));
        this.controls = new ServerControls(platform, runtime, requests, catalog);
        this.upstreamSubscription = new UpstreamSubscription(
                platform,
                requests::listen,
                () -> ClientMetadata.OF_GATEWAY,
                new UpstreamListener(id(), catalogListener, catalog::stale));
    }

    private void rested() {
        runtime.generation().rested();
    }

    private boolean isAway() {
        return runtime.lifecycle().isAway();
    }

    private boolean isResting() {
        return runtime.generation().isResting();
    }

    String id() {
        return runtime.id();
    }

    // ---- How it is called

    /// It is called on these terms from now on; calls that are under way go on as they began. Gives the line
    /// that is to be drained; what is on the new one is looked at by [#renew].
    ServerGeneration become(ServerSpec spec) {
        ServerGeneration last = runtime.become(spec);
        requests.leave(last);
        sessions.clear();
        if (!identity().equals(last.identity())) {
            catalog.forget();
        }
        return last;
    }

    /// It may offer something else since it became another.
    void renew() {
        upstreamSubscription.renew();
        if (health().status() != ServerStatus.IDLE || catalog.isLive() || !catalog.isIdle()) {
            catalog.anew();
        }
    }

    /// Calls and its life keep to other rules from now on.
    void govern(PipelineRules pipelineRules, ServerPolicy policy, LifecycleSettings life) {
        boolean wasGivenUp = health().status() == ServerStatus.PERMANENTLY_FAILED;
        runtime.govern(pipelineRules, policy, life);
        if (wasGivenUp) {
            catalog.anew();
        }
    }

    /// Is called no more. Gives the line that is to be drained.
    ServerGeneration leave() {
        ServerGeneration last = runtime.leave();
        requests.leave(last);
        sessions.close();
        catalog.close();
        upstreamSubscription.close();
        return last;
    }

    /// Calls and readings that are under way on the line that there is now.
    int inside() {
        return runtime.count();
    }

    /// The server for its health checks.
    private final class HealthChecks implements LifecycleTasks.Server {
        @Override
        public boolean isBusy() {
            return !health().status().isDown() && inside() > 0;
        }

        @Override
        public void ping() {
            UpstreamServer.this.ping();
        }
    }

    // ---- What it offers

    ServerCatalog catalog() {
        return catalog;
    }

    /// What it is remembered by; empty if it is not.
    String identity() {
        return runtime.generation().identity();
    }

    /// What it offered when it was last seen; false if it has said more by now.
    boolean recall(CachedContents entry) {
        boolean isNew = catalog.recall(entry.contents());
        if (isNew) {
            sessions.recalled(entry.profile());
        }
        return isNew;
    }

    /// What the cache holds of it.
    CachedServerEntry cached() {
        return runtime.generation().cached();
    }

    CatalogContents contents() {
        return catalog.contents();
    }

    /// The reading of what the server offers; null if that is known, or if the server must not be called.
    ServerCatalog.@Nullable Reading want() {
        return runtime.lifecycle().isRefusing() ? null : catalog.want();
    }

    /// What it offers single clients.
    SessionCatalog lists() {
        return sessions;
    }

    /// The reading of an old list on a connection that ends when it is used for nothing else; null if the pool has
    /// no free place, or there is nothing to read.
    ServerCatalog.@Nullable Reading visit() {
        return runtime.lifecycle().refusal() == null && runtime.generation().visit() ? catalog.wantLive() : null;
    }

    /// The same for frequent callers: a server that has just failed to say it is left to those who look after it.
    ServerCatalog.@Nullable Reading wantAfter(Duration rest) {
        return catalog.failedWithin(rest) ? null : want();
    }

    /// The reading that says what the server offers itself, if only memory has said it; null as above.
    ServerCatalog.@Nullable Reading wantLive() {
        return runtime.lifecycle().isRefusing() ? null : catalog.wantLive();
    }

    /// Why the server could not be reached when its list was read last; null if it was reached, or if nobody
    /// knows.
    @Nullable
    CallFailure unreached() {
        CallFailure failure = catalog.failure();
        return failure == null || failure.delivery() == Delivery.REJECTED || failure.category() == FailureCategory.LOCAL
                ? null
                : failure.unsent();
    }

    /// Whether it was ever known what the server offers, in this run or an earlier one.
    boolean isKnown() {
        return catalog.isKnown();
    }

    /// Whether it has said itself what it offers, since the gateway started.
    boolean isLive() {
        return catalog.isLive();
    }

    /// Whether nothing that it offers is being read.
    boolean isAtRest() {
        return catalog.isIdle();
    }

    /// How long a call may take, if its caller does not say.
    Duration timeout() {
        return runtime.rules().timeout();
    }

    boolean isHealthy() {
        return runtime.pipeline().isHealthy();
    }

    /// Whether a call would be let in, as a probe perhaps.
    boolean isReady() {
        return runtime.pipeline().isReady();
    }

    /// Calls that it works on, and those that wait for it.
    int load() {
        CallPipeline pipeline = runtime.pipeline();
        return pipeline.inside() + pipeline.waiting();
    }

    /// Whether it may remember who has called it.
    boolean isStateful() {
        return runtime.generation().isStateful();
    }

    /// Who steps in for it; null if nobody does.
    @Nullable
    String backup() {
        return runtime.rules().backup();
    }

    /// What of this tool may be made a second time, as far as the operator says.
    RetrySafety retrySafety(String tool) {
        return runtime.rules().retrySafety(tool);
    }

    /// As it is seen from outside.
    ServerSnapshot snapshot() {
        ServerGeneration.Settings now = runtime.generation().settings();
        List<ServerSnapshot.Tool> tools = toolSnapshots.of(id(), contents(), now.policy());
        List<String> failed = List.copyOf(new TreeMap<>(catalog.failures()).values());
        return new ServerSnapshot(
                id(), now.pipeline(), null, catalog.isKnown(), catalog.failure(), health(), tools, failed);
    }

    /// What clients call an item by; null if they do not get to see it.
    @Nullable
    String shownName(CatalogKind kind, String own) {
        String part = shownPart(kind, own);
        return part == null ? null : ExposedName.of(id(), part);
    }

    /// The part of that name that does not say whose it is.
    @Nullable
    String shownPart(CatalogKind kind, String own) {
        return kind == CatalogKind.TOOLS ? runtime.rules().shown(own) : own;
    }

    /// The names of its tools for a client, without the prefix of the server.
    List<String> toolNames(ClientMetadata client) {
        return sessions.contents(client).of(CatalogKind.TOOLS).stream()
                .flatMap(tool -> Optional.ofNullable(shownPart(CatalogKind.TOOLS, tool.own())).stream())
                .toList();
    }

    /// What it says of an item; null if it has none of this name, or clients do not get to see it.
    @Nullable
    CatalogEntry catalogEntry(CatalogKind kind, String own) {
        return shownPart(kind, own) == null
                ? null
                : contents().of(kind).stream()
                        .filter(each -> each.own().equals(own))
                        .findFirst()
                        .orElse(null);
    }

    /// The server's own name for what clients call by this part of a name; null if they do not get to see it.
    @Nullable
    String ownName(CatalogKind kind, String part) {
        return kind == CatalogKind.TOOLS ? runtime.rules().own(part) : part;
    }

    private CatalogFetcher.Listed read() {
        ServerLifecycle lifecycle = runtime.lifecycle();
        restarts = lifecycle.restarts();
        ClientMetadata reader = sessions.reader();
        CatalogFetcher.Listed listed = new CatalogFetcher(
                        id(), requests.over(reader, catalog::mayStart), upstreamContext.pages())
                .offer(catalog.last());
        if (listed instanceof CatalogFetcher.Listed.All) {
            sessions.listedFor(reader);
            if (!runtime.generation().isBrief()) {
                upstreamSubscription.begin();
            }
            lifecycle.read(restarts);
        }
        return listed;
    }

    private void readingEnded(@Nullable CallFailure failure) {
        ServerLifecycle lifecycle = runtime.lifecycle();
        if (failure == null) {
            cached().listed(catalog.contents(), sessions.profile());
            if (lifecycleTasks.noteReading()) {
                lifecycle.offers(ToolDifferences.discovered(catalog.contents()));
            }
            lifecycle.told();
        } else {
            lifecycle.unread(restarts, failure);
        }
    }

    /// Breakers of tools that are gone go after everybody can see that: until then calls would make them anew.
    private void changed(CatalogContents before, CatalogListener catalogListener) {
        catalogListener.changed();
        forgetTools(before, catalog.contents());
        if (catalog.isKnown()) {
            ToolDifferences.between(before, catalog.contents()).ifPresent(runtime.lifecycle()::offers);
        }
    }

    private void forgetTools(CatalogContents before, CatalogContents after) {
        ToolDifferences.gone(before, after).forEach(runtime.pipeline()::forget);
    }

    /// Whether guests have servers of their own there.
    boolean isIsolated() {
        return runtime.generation().isIsolated();
    }

    /// A guest tells its own server something.
    void tell(ClientSession clientSession, byte[] notification) {
        runtime.generation().tell(clientSession, notification);
    }

    /// A guest wants log lines of its own server from another level on.
    void levelChanged(ClientSession clientSession) {
        runtime.generation().levelChanged(clientSession);
    }

    /// What was a guest's alone ends.
    void left(ClientSession clientSession) {
        sessions.left(clientSession);
        runtime.generation().left(clientSession);
    }

    // ---- Calls

    /// Makes a call of a client.
    ///
    /// @param tool that it calls; null if it calls none, or one that is not listed
    /// @param isFirst whether no other server has had the call; its time goes on otherwise
    Outcome call(Call made, @Nullable CatalogEntry tool, RequestOrigin from, boolean isFirst) {
        if (isFirst) {
            made.slot().toServer(id());
        } else {
            made.slot().leave();
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
        try {
            ServerGeneration.Settings rules = generation.settings();
            Call call = verified.call();
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
        } finally {
            working.decrementAndGet();
            generation.leave();
        }
        if (outcome instanceof Outcome.Answered) {
            upstreamSubscription.resume();
            catalog.catchUp();
            sessions.catchUp(made.client());
        }
        return ServerQuestionLabels.of(id(), requestStateSigner.sign(verified, outcome));
    }

    private static PipelineCall.Kind kind(ServerGeneration.Settings rules, Call call, @Nullable CatalogEntry tool) {
        boolean isTool = call.request().method().equals("tools/call");
        return isTool ? rules.policy().kind(tool) : PipelineCall.Kind.READING;
    }

    /// Whether the client goes on with a call that this server has asked it about.
    boolean waitsFor(Call call) {
        return requestStateSigner.isOf(call);
    }

    /// Refuses a call, and has the refusal observed.
    Outcome refused(Call call, @Nullable CatalogEntry tool, RequestOrigin from, CallFailure why) {
        ServerGeneration generation = runtime.generation();
        ServerGeneration.Settings rules = generation.settings();
        PipelineCall refused = generation.pipelineCall(call, rules.policy().kind(tool), from.asker());
        return rules.pipeline().refused(refused, why);
    }

    // ---- How it is

    ServerHealth health() {
        return runtime.lifecycle().health();
    }

    /// What an operator can do to it.
    ServerControls controls() {
        return controls;
    }

    /// Whether it works on a call, and not only on what we ask. Such a server is not sick, though it may answer
    /// nothing else meanwhile.
    boolean isAtWork() {
        return working.get() > 0;
    }

    /// Asks for a sign of life. Blocks for the answer.
    Outcome ping() {
        return requests.ping();
    }

    /// Connects and reads what the server offers, without waiting for it.
    void wake() {
        catalog.refresh();
    }

    /// How it lives on its present line.
    ServerLifecycle lifecycle() {
        return runtime.lifecycle();
    }

    // ---- What it tells

    UpstreamSubscription upstreamSubscription() {
        return upstreamSubscription;
    }

    /// Ends it and all that is on its way to it.
    void close() {
        runtime.end();
        leave().close();
    }
}
