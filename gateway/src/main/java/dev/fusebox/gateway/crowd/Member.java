package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.gateway.era.ClientMetadata;
import dev.fusebox.gateway.era.ClientSession;
import dev.fusebox.gateway.era.RequestMetadata;
import dev.fusebox.gateway.era.UpstreamSubscription;
import dev.fusebox.gateway.lifecycle.LifecycleSettings;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One server among many: what it offers, and the terms on which it is called, which may change. Thread-safe;
/// calls block for as long as their caller has patience, and what an operator does until it is known how the
/// server is then.
final class Member {
    private final Place place;
    private final Shelf shelf;
    private final Upkeep upkeep;
    private final Footing footing;
    private final OwnRequests requests;
    private final UpstreamSubscription upstreamSubscription;
    private final MemberControls controls;
    private final Tooling tooling = new Tooling();
    private final SessionLists sessions;

    private final Seal seal;

    /// How often the server had been started anew when the last reading of what it offers began.
    private volatile int restarts;

    /// Calls of clients that are under way.
    private final AtomicInteger working = new AtomicInteger();

    /// @param news hears what changes; must not block
    Member(Place place, Joining joining, News news) {
        Platform platform = place.platform();
        this.place = place;
        SessionSettings settings = joining.frontTarget().settings();
        this.seal = new Seal(
                platform.ticker(), place.secrets(), () -> settings.questions().refuse(settings.server()));
        this.shelf = new Shelf(platform, this::read, before -> changed(before, news), this::readingEnded)
                .atRest(this::rested)
                .sparing(this::isResting)
                .leaving(this::isAway);
        this.upkeep = new Upkeep(this, shelf);
        this.footing = new Footing(place, joining, upkeep);
        this.requests = new OwnRequests(place, footing, this);
        this.sessions = new SessionLists(
                platform,
                shelf,
                requests,
                new SessionLists.Server(id(), place.pages(), footing, (client, kinds) -> news.changed(client, kinds)));
        this.controls = new MemberControls(platform, footing, requests, shelf);
        this.upstreamSubscription = new UpstreamSubscription(
                platform, requests::listen, RequestMetadata.ofGateway(), new ServerEars(this, news, shelf::stale));
    }

    private void rested() {
        footing.line().rested();
    }

    private boolean isAway() {
        return footing.lifecycle().isAway();
    }

    private boolean isResting() {
        return footing.line().isResting();
    }

    String id() {
        return footing.id();
    }

    // ---- How it is called

    /// It is called on these terms from now on; calls that are under way go on as they began. Gives the line
    /// that is to be drained; what is on the new one is looked at by [#renew].
    Line become(Joining joining) {
        Line last = footing.become(joining);
        requests.leave(last);
        sessions.clear();
        if (!identity().equals(last.identity())) {
            shelf.forget();
        }
        return last;
    }

    /// It may offer something else since it became another.
    void renew() {
        upstreamSubscription.renew();
        if (health().status() != ServerStatus.IDLE || shelf.isLive() || !shelf.isIdle()) {
            shelf.anew();
        }
    }

    /// Calls and its life keep to other rules from now on.
    void govern(PipelineRules lane, MemberRules rules, LifecycleSettings life) {
        boolean wasGivenUp = health().status() == ServerStatus.PERMANENTLY_FAILED;
        footing.govern(lane, rules, life);
        if (wasGivenUp) {
            shelf.anew();
        }
    }

    /// Is called no more. Gives the line that is to be drained.
    Line leave() {
        Line last = footing.leave();
        requests.leave(last);
        sessions.close();
        shelf.close();
        upstreamSubscription.close();
        return last;
    }

    /// Calls and readings that are under way on the line that there is now.
    int inside() {
        return footing.count();
    }

    // ---- What it offers

    Shelf shelf() {
        return shelf;
    }

    /// What it is remembered by; empty if it is not.
    String identity() {
        return footing.line().identity();
    }

    /// What it offered when it was last seen; false if it has said more by now.
    boolean recall(CachedOffer entry) {
        boolean isNew = shelf.recall(entry.offer());
        if (isNew) {
            sessions.recalled(entry.profile());
        }
        return isNew;
    }

    /// What the cache holds of it.
    CachedServer cached() {
        return footing.line().cached();
    }

    Offer offer() {
        return shelf.offer();
    }

    /// The reading of what the server offers; null if that is known, or if the server must not be called.
    Shelf.@Nullable Reading want() {
        return footing.lifecycle().isRefusing() ? null : shelf.want();
    }

    /// What it offers single clients.
    SessionLists lists() {
        return sessions;
    }

    /// The reading of an old list on a connection that ends when it is used for nothing else; null if the pool has
    /// no free place, or there is nothing to read.
    Shelf.@Nullable Reading visit() {
        return footing.lifecycle().refusal() == null && footing.line().visit() ? shelf.wantLive() : null;
    }

    /// The same for frequent callers: a server that has just failed to say it is left to those who look after it.
    Shelf.@Nullable Reading wantAfter(Duration rest) {
        return shelf.failedWithin(rest) ? null : want();
    }

    /// The reading that says what the server offers itself, if only memory has said it; null as above.
    Shelf.@Nullable Reading wantLive() {
        return footing.lifecycle().isRefusing() ? null : shelf.wantLive();
    }

    /// Why the server could not be reached when its list was read last; null if it was reached, or if nobody
    /// knows.
    @Nullable
    CallFailure unreached() {
        CallFailure failure = shelf.failure();
        return failure == null || failure.delivery() == Delivery.REJECTED || failure.category() == FailureCategory.LOCAL
                ? null
                : failure.unsent();
    }

    /// Whether it was ever known what the server offers, in this run or an earlier one.
    boolean isKnown() {
        return shelf.isKnown();
    }

    /// Whether it has said itself what it offers, since the gateway started.
    boolean isLive() {
        return shelf.isLive();
    }

    /// Whether nothing that it offers is being read.
    boolean isAtRest() {
        return shelf.isIdle();
    }

    /// How long a call may take, if its caller does not say.
    Duration timeout() {
        return footing.rules().timeout();
    }

    boolean isHealthy() {
        return footing.pipeline().isHealthy();
    }

    /// Whether a call would be let in, as a probe perhaps.
    boolean isReady() {
        return footing.pipeline().isReady();
    }

    /// Calls that it works on, and those that wait for it.
    int load() {
        CallPipeline pipeline = footing.pipeline();
        return pipeline.inside() + pipeline.waiting();
    }

    /// Whether it may remember who has called it.
    boolean isStateful() {
        return footing.line().isStateful();
    }

    /// Who steps in for it; null if nobody does.
    @Nullable
    String backup() {
        return footing.rules().backup();
    }

    /// What of this tool may be made a second time, as far as the operator says.
    RetrySafety retrySafety(String tool) {
        return footing.rules().retrySafety(tool);
    }

    /// As it is seen from outside.
    Sight sight() {
        Terms now = footing.terms();
        List<Sight.Tool> tools = tooling.of(this, now.rules());
        List<String> failed = List.copyOf(new TreeMap<>(shelf.failures()).values());
        return new Sight(id(), now.pipeline(), null, shelf.isKnown(), shelf.failure(), health(), tools, failed);
    }

    /// What clients call an item by; null if they do not get to see it.
    @Nullable
    String shownName(Kind kind, String own) {
        String part = shownPart(kind, own);
        return part == null ? null : ShownName.of(id(), part);
    }

    /// The part of that name that does not say whose it is.
    @Nullable
    String shownPart(Kind kind, String own) {
        return kind == Kind.TOOLS ? footing.rules().shown(own) : own;
    }

    /// What it says of an item; null if it has none of this name, or clients do not get to see it.
    @Nullable
    Item item(Kind kind, String own) {
        return shownPart(kind, own) == null
                ? null
                : offer().of(kind).stream()
                        .filter(each -> each.own().equals(own))
                        .findFirst()
                        .orElse(null);
    }

    /// The server's own name for what clients call by this part of a name; null if they do not get to see it.
    @Nullable
    String ownName(Kind kind, String part) {
        return kind == Kind.TOOLS ? footing.rules().own(part) : part;
    }

    private Lister.Listed read() {
        ServerLifecycle lifecycle = footing.lifecycle();
        restarts = lifecycle.restarts();
        ClientMetadata reader = sessions.reader();
        Lister.Listed listed =
                new Lister(id(), requests.over(reader, shelf::mayStart), place.pages()).offer(shelf.last());
        if (listed instanceof Lister.Listed.All) {
            sessions.listedFor(reader);
            if (!footing.line().isBrief()) {
                upstreamSubscription.begin();
            }
            lifecycle.read(restarts);
        }
        return listed;
    }

    private void readingEnded(@Nullable CallFailure failure) {
        ServerLifecycle lifecycle = footing.lifecycle();
        if (failure == null) {
            cached().listed(shelf.offer(), sessions.profile());
            if (upkeep.noteReading()) {
                lifecycle.offers(Differences.discovered(shelf.offer()));
            }
            lifecycle.told();
        } else {
            lifecycle.unread(restarts, failure);
        }
    }

    /// Breakers of tools that are gone go after everybody can see that: until then calls would make them anew.
    private void changed(Offer before, News news) {
        news.changed(this);
        forgetTools(before, shelf.offer());
        if (shelf.isKnown()) {
            Differences.between(before, shelf.offer()).ifPresent(footing.lifecycle()::offers);
        }
    }

    private void forgetTools(Offer before, Offer after) {
        Differences.gone(before, after).forEach(footing.pipeline()::forget);
    }

    /// Whether guests have servers of their own there.
    boolean isIsolated() {
        return footing.line().isIsolated();
    }

    /// A guest tells its own server something.
    void tell(ClientSession clientSession, byte[] notification) {
        footing.line().tell(clientSession, notification);
    }

    /// A guest wants log lines of its own server from another level on.
    void levelChanged(ClientSession clientSession) {
        footing.line().levelChanged(clientSession);
    }

    /// What was a guest's alone ends.
    void left(ClientSession clientSession) {
        sessions.left(clientSession);
        footing.line().left(clientSession);
    }

    // ---- Calls

    /// Makes a call of a client, under the server's own time.
    Outcome call(Call call, @Nullable Item tool, Router.From from) {
        call.slot().toServer(id());
        return asking(
                call,
                opened -> footing.inside(now -> {
                    opened.deadline().limit(from.time(now.rules().timeout()));
                    return call(now, opened, now.rules().kind(tool), from);
                }));
    }

    /// The same for a call that has been elsewhere: its time goes on.
    Outcome stepIn(Call call, @Nullable Item tool, Router.From from) {
        call.slot().leave();
        return asking(
                call,
                opened -> footing.inside(now -> call(now, opened, now.rules().kind(tool), from)));
    }

    /// What the server asks meanwhile says who asks, and is asked again with what the client brings back.
    private Outcome asking(Call call, Function<Call, Outcome> work) {
        return LabelledQuestions.of(id(), seal.around(call, work));
    }

    /// Whether the client goes on with a call that this server has asked it about.
    boolean waitsFor(Call call) {
        return seal.isOf(call);
    }

    /// Makes a call that only reads.
    Outcome read(Call call, Router.From from) {
        call.slot().toServer(id());
        return asking(
                call,
                opened -> footing.inside(now -> {
                    opened.deadline().limit(from.time(now.rules().timeout()));
                    return call(now, opened, PipelineCall.Kind.READING, from);
                }));
    }

    private Outcome call(Terms now, Call call, PipelineCall.Kind kind, Router.From from) {
        ServerLifecycle lifecycle = now.line().lifecycle();
        CallFailure refusal = lifecycle.refusal();
        if (refusal != null) {
            return now.pipeline().refused(now.call(call, kind, from), refusal);
        }
        Outcome outcome = made(now, call, kind, from);
        lifecycle.called(outcome);
        if (outcome instanceof Outcome.Answered) {
            upstreamSubscription.resume();
            shelf.catchUp();
            sessions.catchUp(from.client());
        }
        return outcome;
    }

    private Outcome made(Terms now, Call call, PipelineCall.Kind kind, Router.From from) {
        working.incrementAndGet();
        now.line().stay();
        try {
            return now.make(call, kind, from);
        } finally {
            working.decrementAndGet();
        }
    }

    /// A call that goes no further, because something is wrong with it.
    Outcome refused(Call call, @Nullable Item tool, Router.From from, CallFailure why) {
        Terms now = footing.terms();
        return now.pipeline().refused(now.call(call, now.rules().kind(tool), from), why);
    }

    // ---- How it is

    ServerHealth health() {
        return footing.lifecycle().health();
    }

    /// What an operator can do to it.
    MemberControls controls() {
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
        shelf.refresh();
    }

    /// How it lives on its present line.
    ServerLifecycle lifecycle() {
        return footing.lifecycle();
    }

    // ---- What it tells

    UpstreamSubscription upstreamSubscription() {
        return upstreamSubscription;
    }

    /// Ends it and all that is on its way to it.
    void close() {
        footing.end();
        leave().close();
    }
}
