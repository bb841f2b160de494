package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Upstream;
import dev.fusebox.client.lane.Lane;
import dev.fusebox.client.lane.LaneCall;
import dev.fusebox.client.lane.Way;
import dev.fusebox.gateway.life.Condition;
import dev.fusebox.gateway.life.Life;
import dev.fusebox.gateway.life.LifeEvent;
import dev.fusebox.gateway.served.Oversight;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.gateway.stateless.Dress;
import dev.fusebox.gateway.stateless.EraTarget;
import dev.fusebox.gateway.stateless.Hearing;
import dev.fusebox.gateway.stateless.Metadata;
import dev.fusebox.gateway.stateless.Target;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One server among many: its lane, its connection, and what it offers. Thread-safe; [#call] blocks for as long as the
/// caller has patience, and nothing else does.
final class Member {
    private static final Fault AWAY =
            Fault.policy(FaultCode.CONNECT_FAILED, "the server is not there at the moment; it will be started again");

    private final World world;
    private final int pages;
    private final MemberRules rules;
    private final Duration pingLimit;
    private final Served served;
    private final Lane lane;
    private final Target target;
    private final Way way;
    private final Shelf shelf;
    private final Life life;
    private final Hearing hearing;
    private final Dress dress = Dress.ofGateway();

    /// @param news hears what changes; must not block
    Member(Place place, Joining joining, News news) {
        this.world = place.world();
        this.pages = place.pages();
        this.rules = joining.rules();
        this.pingLimit = joining.life().polls().limit();
        this.lane = joining.lane();
        this.shelf = new Shelf(world, this::read, before -> changed(before, news), this::readingEnded);
        this.life =
                new Life(world, joining.served().settings().server(), joining.life(), new Errands(), place.events());
        this.served = joining.served()
                .behind(connector -> new Door(connector, life))
                .under(new Oversight(new Eyes(world, lane, life, shelf::refresh), true));
        this.target = new EraTarget(world, served, place.secrets());
        this.way = lane.over(new Pulses(target, life));
        this.hearing = new Hearing(world, this::listen, dress, new Ears(news));
    }

    /// Where servers live. Immutable.
    ///
    /// @param secrets makes the tickets of calls that wait for their client
    /// @param pages how many a list may have
    /// @param events hears of their lives
    record Place(World world, RandomGenerator secrets, int pages, LifeEvent.Listener events) {}

    /// Who wants to hear what changes at a server. Nothing here may block.
    interface News {
        /// What the server offers is not what it was.
        void changed(Member member);

        /// A resource that somebody watches has changed.
        void updated(Member member, Message.Notification notification);
    }

    String id() {
        return served.settings().server();
    }

    // ---- What it offers

    Offer offer() {
        return shelf.offer();
    }

    /// The reading of what the server offers; null if that is known.
    Shelf.@Nullable Reading want() {
        return shelf.want();
    }

    /// Whether it was ever known what the server offers.
    boolean isKnown() {
        return shelf.isKnown();
    }

    boolean isHealthy() {
        return lane.isHealthy();
    }

    /// As it is seen from outside.
    Sight sight() {
        List<Sight.Tool> tools = offer().of(Kind.TOOLS).stream()
                .flatMap(tool -> tool(tool).stream())
                .toList();
        return new Sight(id(), lane, null, shelf.isKnown(), shelf.failure(), tools);
    }

    private Optional<Sight.Tool> tool(Item tool) {
        String shown = shownName(Kind.TOOLS, tool.own());
        String description = tool.definition().string("description");
        return Optional.ofNullable(shown)
                .map(name -> new Sight.Tool(tool.own(), name, Objects.requireNonNullElse(description, "")));
    }

    /// What clients call an item by; null if they do not get to see it.
    @Nullable
    String shownName(Kind kind, String own) {
        if (kind != Kind.TOOLS) {
            return ShownName.of(id(), own);
        }
        String shown = rules.filter().lets(own) ? rules.renaming().shown(own) : null;
        return shown == null ? null : ShownName.of(id(), shown);
    }

    /// The server's own name for what clients call by this part of a name; null if they do not get to see it.
    @Nullable
    String ownName(Kind kind, String part) {
        if (kind != Kind.TOOLS) {
            return part;
        }
        String own = rules.renaming().own(part);
        return own != null && rules.filter().lets(own) ? own : null;
    }

    private Lister.Listed read() {
        Lister.Listed listed = new Lister(id(), this::ask, pages).offer();
        if (listed instanceof Lister.Listed.All) {
            hearing.begin();
            life.read();
        }
        return listed;
    }

    private void readingEnded(@Nullable Fault failure) {
        if (failure == null) {
            life.told();
        } else {
            life.unread(failure);
        }
    }

    /// Breakers of tools that are gone go after everybody can see that: until then calls would make them anew.
    private void changed(Offer before, News news) {
        news.changed(this);
        forgetTools(before, shelf.offer());
    }

    private void forgetTools(Offer before, Offer after) {
        List<String> still = after.of(Kind.TOOLS).stream().map(Item::own).toList();
        before.of(Kind.TOOLS).stream()
                .map(Item::own)
                .filter(tool -> !still.contains(tool))
                .forEach(lane::forget);
    }

    private Outcome ask(String method, String params) {
        Message.Request request = dress.on(Message.Request.of(Frames.request(RequestId.of(method), method, params)));
        Duration limit = rules.timeout().plus(served.settings().connectTimeout());
        Patience patience = new Patience(limit, Duration.ZERO, world.ticker());
        return onLane(
                new Call(request, patience, Caller.SILENT),
                LaneCall.Kind.LOOKING,
                new Router.From(metadata(request), this));
    }

    /// A subscription would keep its place in the lane as long as it lasts; but nobody connects to a server that is
    /// down, or that will be started in its time.
    private Outcome listen(Call call) {
        Fault refusal = life.isAway() ? AWAY : way.refusal();
        return refusal == null ? target.call(call, metadata(call.request())) : new Outcome.Failed(refusal);
    }

    private static Metadata metadata(Message.Request request) {
        return Objects.requireNonNull(Metadata.of(request), "our own request has its metadata");
    }

    // ---- Calls

    /// Makes a call of a client, under the server's own time.
    Outcome call(Call call, @Nullable Item tool, Router.From from) {
        call.patience().limit(rules.timeout());
        return call(call, kind(tool), from);
    }

    private LaneCall.Kind kind(@Nullable Item tool) {
        return tool == null
                ? new LaneCall.Kind(null, false, rules.replay())
                : new LaneCall.Kind(tool.own(), tool.isRepeatable(), rules.replay(tool.own()));
    }

    /// Makes a call that only reads.
    Outcome read(Call call, Router.From from) {
        call.patience().limit(rules.timeout());
        return call(call, LaneCall.Kind.READING, from);
    }

    private Outcome call(Call call, LaneCall.Kind kind, Router.From from) {
        Fault refusal = life.refusal();
        if (refusal != null) {
            return new Outcome.Failed(refusal);
        }
        Outcome outcome = onLane(call, kind, from);
        life.called(outcome);
        if (outcome instanceof Outcome.Answered) {
            hearing.resume();
            shelf.catchUp();
        }
        return outcome;
    }

    private Outcome onLane(Call call, LaneCall.Kind kind, Router.From from) {
        return way.call(new LaneCall(call, kind, from.asker(), attempt -> target.call(attempt, from.client())));
    }

    // ---- How it is

    Condition condition() {
        return life.condition();
    }

    /// Ends its connection and opens another; what went wrong before is forgotten.
    void restart() {
        life.command("restart requested", true);
        target.disconnect();
    }

    /// Opens a connection if there is none, and reads what the server offers.
    void connect() {
        life.command("connection requested", false);
    }

    /// Does for a life what is due.
    private final class Errands implements Life.Errands {
        @Override
        public void read() {
            shelf.refresh();
        }

        @Override
        public void poll() {
            Thread.ofVirtual().name("fusebox-poll").start(() -> life.polled(asked()));
        }

        private Outcome asked() {
            Message.Request request = dress.on(EraTarget.question());
            Duration limit = rules.timeout().plus(served.settings().connectTimeout());
            Call call = new Call(request, new Patience(limit, Duration.ZERO, world.ticker()), Caller.SILENT);
            return way.call(new LaneCall(call, LaneCall.Kind.READING, Member.this, this::isThere));
        }

        /// What a server said when hands were shaken proves nothing now.
        private Outcome isThere(Call attempt) {
            Outcome greeted = target.call(attempt, metadata(attempt.request()));
            boolean isFelt = greeted instanceof Outcome.Failed
                    || target.pulse(world.ticker().nanos(), pingLimit) == Upstream.Pulse.FELT;
            return isFelt
                    ? greeted
                    : new Outcome.Failed(Fault.timeout(id() + " did not answer when it was asked whether it is there"));
        }
    }

    // ---- What it tells

    Hearing hearing() {
        return hearing;
    }

    /// Hears the server for all clients.
    private final class Ears implements Hearing.Hearer {
        /// Ten clients that watch as much as they may.
        private static final int MOST_WATCHED = 10_000;

        private final News news;

        Ears(News news) {
            this.news = news;
        }

        @Override
        public int most() {
            return MOST_WATCHED;
        }

        @Override
        public void told(Message.Notification notification) {
            if (notification.method().equals("notifications/resources/updated")) {
                news.updated(Member.this, notification);
            } else if (notification.method().endsWith("/list_changed")) {
                shelf.stale();
            }
        }

        /// What was read before may have changed before anybody heard of it.
        @Override
        public void begun() {
            shelf.stale();
        }
    }

    void close() {
        life.close();
        shelf.close();
        hearing.close();
        target.close();
    }
}
