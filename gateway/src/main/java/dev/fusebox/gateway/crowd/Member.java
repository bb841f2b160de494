package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Category;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Reached;
import dev.fusebox.client.lane.Lane;
import dev.fusebox.client.lane.LaneCall;
import dev.fusebox.client.lane.LaneRules;
import dev.fusebox.client.lane.Replay;
import dev.fusebox.gateway.life.Condition;
import dev.fusebox.gateway.life.Life;
import dev.fusebox.gateway.life.LifeRules;
import dev.fusebox.gateway.stateless.Dress;
import dev.fusebox.gateway.stateless.Guest;
import dev.fusebox.gateway.stateless.Hearing;
import dev.fusebox.gateway.stateless.Metadata;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One server among many: what it offers, and the terms on which it is called, which may change. Thread-safe; calls
/// block for as long as their caller has patience, and what an operator does until it is known how the server is then.
final class Member {
    private static final Fault AWAY =
            Fault.policy(FaultCode.CONNECT_FAILED, "the server is not there at the moment; it will be started again");

    private final String id;
    private final Place place;
    private final World world;
    private final Shelf shelf;
    private final Hearing hearing;
    private final Dress dress = Dress.ofGateway();
    private final Upkeep upkeep;
    private final Seal seal;

    /// Calls of clients that are under way.
    private final AtomicInteger working = new AtomicInteger();

    /// Written under the monitor only.
    private volatile Terms terms;

    /// @param news hears what changes; must not block
    Member(Place place, Joining joining, News news) {
        this.id = joining.served().settings().server();
        this.place = place;
        this.world = place.world();
        this.seal = new Seal(world.ticker(), place.secrets());
        this.shelf = new Shelf(world, this::read, before -> changed(before, news), this::readingEnded)
                .atRest(() -> terms.line().rested())
                .sparing(() -> terms.line().isResting());
        this.upkeep = new Upkeep(this, shelf, world);
        this.terms = termsOf(joining);
        this.hearing = new Hearing(world, this::listen, dress, new ServerEars(this, news, shelf::stale));
    }

    private Terms termsOf(Joining joining) {
        Lane lane = joining.lane().get();
        return Terms.of(joining.rules(), lane, new Line(place, joining, lane, upkeep));
    }

    String id() {
        return id;
    }

    // ---- How it is called

    /// It is called on these terms from now on; calls that are under way go on as they began. Gives the line
    /// that is to be drained; what is on the new one is looked at by [#renew].
    synchronized Line become(Joining joining) {
        Line before = terms.line();
        before.retire();
        terms.lane().retire();
        terms = termsOf(joining);
        return before;
    }

    /// It may offer something else since it became another.
    void renew() {
        hearing.renew();
        if (shelf.isLive()) {
            shelf.stale();
        }
    }

    /// Calls and its life keep to other rules from now on.
    synchronized void govern(LaneRules lane, MemberRules rules, LifeRules life) {
        Line line = terms.line();
        line.govern(life);
        Lane next = terms.lane().under(lane);
        line.behind(next);
        terms = Terms.of(rules, next, line);
    }

    /// Is called no more. Gives the line that is to be drained.
    Line leave() {
        Line last;
        synchronized (this) {
            last = terms.line();
            last.retire();
            terms.lane().retire();
        }
        shelf.close();
        hearing.close();
        return last;
    }

    /// Calls and readings that are under way on the line that there is now.
    int inside() {
        return terms.line().door().inside();
    }

    /// Null if nobody can be let in any more. Whoever gets terms leaves their door.
    private @Nullable Terms enter() {
        Terms now = terms;
        return now.line().door().enter() ? now : enterNext();
    }

    /// A door is closed while its successor is made.
    private synchronized @Nullable Terms enterNext() {
        return terms.line().door().enter() ? terms : null;
    }

    /// Has work done by whoever comes in by the door.
    Outcome inside(Function<Terms, Outcome> work) {
        Terms now = enter();
        if (now == null) {
            String message = id + " is not configured any more; the call was not sent";
            return new Outcome.Failed(Fault.policy(FaultCode.UNKNOWN_SERVER, message));
        }
        try {
            return work.apply(now);
        } finally {
            now.line().leave();
        }
    }

    // ---- What it offers

    Shelf shelf() {
        return shelf;
    }

    /// What it is remembered by; empty if it is not.
    String identity() {
        return terms.line().identity();
    }

    Offer offer() {
        return shelf.offer();
    }

    /// The reading of what the server offers; null if that is known, or if the server must not be called.
    Shelf.@Nullable Reading want() {
        return shelf.isKnown() || terms.line().life().refusal() != null ? null : shelf.want();
    }

    /// The same for whoever asks often: a server that has just failed to say it is left to those who look after it.
    Shelf.@Nullable Reading wantAfter(Duration rest) {
        return shelf.failedWithin(rest) ? null : want();
    }

    /// The reading that says what the server offers itself, if only memory has said it; null as above.
    Shelf.@Nullable Reading wantLive() {
        return terms.line().life().refusal() != null ? null : shelf.wantLive();
    }

    /// Why the server could not be reached when its list was read last; null if it was reached, or if nobody knows.
    @Nullable
    Fault unreached() {
        Fault failure = shelf.failure();
        return failure == null || failure.reached() == Reached.REJECTED || failure.category() == Category.LOCAL
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
        return terms.rules().timeout();
    }

    boolean isHealthy() {
        return terms.lane().isHealthy();
    }

    /// Whether a call would be let in, as a probe perhaps.
    boolean isReady() {
        return terms.lane().isReady();
    }

    /// Calls that it works on, and those that wait for it.
    int load() {
        Lane lane = terms.lane();
        return lane.inside() + lane.waiting();
    }

    /// Whether it may remember who has called it.
    boolean isStateful() {
        return terms.line().isStateful();
    }

    /// Who steps in for it; null if nobody does.
    @Nullable
    String backup() {
        return terms.rules().backup();
    }

    /// What of this tool may be made a second time, as far as the operator says.
    Replay replay(String tool) {
        return terms.rules().replay(tool);
    }

    /// As it is seen from outside.
    Sight sight() {
        return new Sight(id, terms.lane(), null, shelf.isKnown(), shelf.failure(), condition(), Tooling.of(this));
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
        return kind == Kind.TOOLS ? terms.rules().shown(own) : own;
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
        return kind == Kind.TOOLS ? terms.rules().own(part) : part;
    }

    private Lister.Listed read() {
        Lister.Listed listed = new Lister(id(), this::ask, place.pages()).offer();
        if (listed instanceof Lister.Listed.All) {
            if (!terms.line().isBrief()) {
                hearing.begin();
            }
            terms.line().life().read();
        }
        return listed;
    }

    private void readingEnded(@Nullable Fault failure) {
        Life life = terms.line().life();
        if (failure == null) {
            if (upkeep.noteReading()) {
                life.offers(Differences.discovered(shelf.offer()));
            }
            life.told();
        } else {
            life.unread(failure);
        }
    }

    /// Breakers of tools that are gone go after everybody can see that: until then calls would make them anew.
    private void changed(Offer before, News news) {
        news.changed(this);
        if (!identity().isEmpty()) {
            place.memory().keep(identity(), OfferJson.text(id, shelf.offer()));
        }
        forgetTools(before, shelf.offer());
        if (shelf.isKnown()) {
            Differences.between(before, shelf.offer()).ifPresent(terms.line().life()::offers);
        }
    }

    private void forgetTools(Offer before, Offer after) {
        Differences.gone(before, after).forEach(terms.lane()::forget);
    }

    private Outcome ask(String method, String params) {
        return inside(now -> ask(now, Message.Request.of(Frames.request(RequestId.of(method), method, params))));
    }

    private Outcome ask(Terms now, Message.Request plain) {
        Message.Request request = dress.on(plain);
        Duration limit = now.rules().timeout().plus(now.line().connectLimit());
        Patience patience = new Patience(limit, Duration.ZERO, world.ticker());
        Call call = new Call(request, patience, Caller.SILENT);
        return now.make(call, LaneCall.Kind.LOOKING, new Router.From(asOurs(request), this));
    }

    /// A subscription would keep its place in the lane as long as it lasts; but nobody connects to a server that
    /// is down, or that will be started in its time. One that nobody needed is started for clients that watch
    /// something, and not for ourselves.
    private Outcome listen(Call call) {
        Terms now = terms;
        boolean isNeeded = call.request().frame().path("params", "notifications", "resourceSubscriptions") != null;
        boolean isAway = now.line().life().isAway()
                || now.line().isBrief()
                || (!isNeeded && now.line().isResting());
        Fault refusal = isAway ? AWAY : now.way().refusal();
        return refusal == null ? now.line().target().call(call, asOurs(call.request())) : new Outcome.Failed(refusal);
    }

    /// What we want to know ourselves is asked over the connection of a guest, where guests have their own: it saves a
    /// process that nobody else would use.
    Metadata asOurs(Message.Request request) {
        Metadata guest = terms.line().isIsolated() ? place.guests().first() : null;
        Metadata own = Objects.requireNonNull(Metadata.of(request), "our own request has its metadata");
        return guest == null ? own : own.as(guest);
    }

    /// Whether guests have servers of their own there.
    boolean isIsolated() {
        return terms.line().isIsolated();
    }

    /// A guest tells its own server something.
    void tell(Guest guest, byte[] notification) {
        terms.line().tell(guest, notification);
    }

    /// What was a guest's alone ends.
    void left(Guest guest) {
        terms.line().left(guest);
    }

    // ---- Calls

    /// Makes a call of a client, under the server's own time.
    Outcome call(Call call, @Nullable Item tool, Router.From from) {
        return seal.around(
                call,
                opened -> inside(now -> {
                    opened.patience().limit(from.time(now.rules().timeout()));
                    return call(now, opened, now.rules().kind(tool), from);
                }));
    }

    /// The same for a call that has been elsewhere: its time goes on.
    Outcome stepIn(Call call, @Nullable Item tool, Router.From from) {
        return seal.around(
                call, opened -> inside(now -> call(now, opened, now.rules().kind(tool), from)));
    }

    /// Whether the client goes on with a call that this server has asked it about.
    boolean waitsFor(Call call) {
        return seal.isOf(call);
    }

    /// Makes a call that only reads.
    Outcome read(Call call, Router.From from) {
        return seal.around(
                call,
                opened -> inside(now -> {
                    opened.patience().limit(from.time(now.rules().timeout()));
                    return call(now, opened, LaneCall.Kind.READING, from);
                }));
    }

    private Outcome call(Terms now, Call call, LaneCall.Kind kind, Router.From from) {
        Life life = now.line().life();
        Fault refusal = life.refusal();
        if (refusal != null) {
            return now.lane().refused(now.call(call, kind, from), refusal);
        }
        Outcome outcome = made(now, call, kind, from);
        life.called(outcome);
        if (outcome instanceof Outcome.Answered) {
            hearing.resume();
            shelf.catchUp();
        }
        return outcome;
    }

    private Outcome made(Terms now, Call call, LaneCall.Kind kind, Router.From from) {
        working.incrementAndGet();
        try {
            return now.make(call, kind, from);
        } finally {
            working.decrementAndGet();
        }
    }

    /// A call that goes no further, because something is wrong with it.
    Outcome refused(Call call, @Nullable Item tool, Router.From from, Fault why) {
        Terms now = terms;
        return now.lane().refused(now.call(call, now.rules().kind(tool), from), why);
    }

    // ---- How it is

    Condition condition() {
        return terms.line().life().condition();
    }

    /// Ends its connection and opens another; what went wrong before is forgotten. Blocks until it is known how it is
    /// then, for as long as a server may take.
    Condition restart() throws InterruptedException {
        Line line = terms.line();
        line.life().command("restart requested", true);
        line.target().disconnect();
        return settled(line);
    }

    /// Opens a connection if there is none, and reads what the server offers. If it counts as down, that is the probe,
    /// and nothing else happens if that fails. Blocks like [#restart].
    Condition connect() throws InterruptedException {
        Terms now = terms;
        now.lane().endCooldown();
        boolean isGivenUp = now.line().life().closedDoor() != null;
        if (!isGivenUp && !now.lane().isHealthy() && !answersPing()) {
            return condition();
        }
        now.line().life().command("connection requested", false);
        Condition settled = settled(now.line());
        // Reading lists proves nothing to a breaker.
        return now.lane().isHealthy() || !answersPing() ? settled : condition();
    }

    private boolean answersPing() {
        return ping() instanceof Outcome.Answered;
    }

    /// Whether it works on a call, and not only on what we ask. Such a server is not sick, though it may answer nothing
    /// else meanwhile.
    boolean isAtWork() {
        return working.get() > 0;
    }

    /// Asks for a sign of life. Blocks for the answer.
    Outcome ping() {
        return inside(upkeep::asked);
    }

    /// Connects and reads what the server offers, without waiting for it.
    void wake() {
        shelf.refresh();
    }

    private Condition settled(Line line) throws InterruptedException {
        Duration limit = line.connectLimit().plus(terms.rules().timeout());
        return line.life().awaitSettled(limit) ? line.life().condition() : condition();
    }

    /// How it lives on its present line.
    Life life() {
        return terms.line().life();
    }

    // ---- What it tells

    Hearing hearing() {
        return hearing;
    }

    /// Ends it and all that is on its way to it.
    void close() {
        leave().close();
    }
}
