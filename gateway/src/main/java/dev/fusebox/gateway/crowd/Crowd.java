package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Peer;
import dev.fusebox.client.lane.LaneRules;
import dev.fusebox.client.lane.Onlooker;
import dev.fusebox.gateway.arguments.ArgumentCheck;
import dev.fusebox.gateway.life.Condition;
import dev.fusebox.gateway.life.LifeEvent;
import dev.fusebox.gateway.life.LifeRules;
import dev.fusebox.gateway.life.Status;
import dev.fusebox.gateway.served.SessionBounds;
import dev.fusebox.gateway.served.SessionSettings;
import dev.fusebox.gateway.stateless.Conversation;
import dev.fusebox.gateway.stateless.Service;
import dev.fusebox.gateway.stateless.Target;
import dev.fusebox.protocol.Message;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Many servers as one. Each is reached through its own lane, and what one of them does or fails to do changes nothing
/// for the others. Thread-safe; calls block, and so does what an operator has done to one server.
public final class Crowd implements Service {
    private final World world;
    private final Parameters parameters;
    private final RandomGenerator secrets;
    private final Audience audience;
    private final Recollection recollection;
    private final Lists lists;
    private final ArgumentCheck arguments = new ArgumentCheck();
    private final AtomicBoolean prepared = new AtomicBoolean();
    private final Expected expected;
    private final News news = new Ears();
    private final Guests guests = new Guests(this::members);

    /// Lines of servers that are not what they were, or are no more, as long as calls are under way on them.
    private final Set<Line> leaving = ConcurrentHashMap.newKeySet();

    private volatile Present present;
    private volatile Catalog catalog = Catalog.EMPTY;
    private volatile Displayed displayed;
    private volatile boolean closed;

    /// What holds for all clients. Immutable.
    ///
    /// @param settings what a conversation keeps to
    /// @param bounds how many there may be over HTTP
    /// @param pages how many a server's list may have
    /// @param events hears of the lives of servers
    /// @param onlooker sees calls that are refused because their server cannot be called
    /// @param menu what clients see
    /// @param memory keeps what servers offer
    public record Parameters(
            SessionSettings settings,
            SessionBounds bounds,
            int pages,
            LifeEvent.Listener events,
            Onlooker onlooker,
            Menu menu,
            Memory memory) {
        /// Nobody hears of the lives of servers, clients see all that these have, and nothing is remembered.
        public Parameters(SessionSettings settings, SessionBounds bounds, int pages) {
            this(settings, bounds, pages, LifeEvent.Listener.NONE, Onlooker.NOBODY, Menu.proxy(), Memory.NONE);
        }

        /// The same with another menu.
        public Parameters with(Menu other) {
            return new Parameters(settings, bounds, pages, events, onlooker, other, memory);
        }
    }

    /// @param secrets makes the tickets of calls that wait for their client
    public Crowd(World world, Parameters parameters, Servers servers, RandomGenerator secrets) {
        this.world = world;
        this.parameters = parameters;
        this.secrets = secrets;
        this.audience = new Audience(world.timers());
        this.expected = new Expected(world, parameters.events());
        this.recollection = new Recollection(world, parameters.memory(), () -> audience.changed(merged()));
        this.lists = new Lists(this, recollection);
        this.displayed = new Displayed(catalog, parameters.menu());
        Map<String, Member> members = new LinkedHashMap<>();
        Map<String, Absent> absent = new LinkedHashMap<>();
        for (Joining joining : servers.joining()) {
            Member member = member(joining);
            members.put(member.id(), member);
        }
        servers.absent().forEach(server -> absent.put(server.id(), server));
        this.present = Present.of(members, absent, servers.teams());
    }

    private Member member(Joining joining) {
        Place place = new Place(world, secrets, parameters.pages(), parameters.events(), parameters.memory(), guests);
        return new Member(place, joining, news);
    }

    /// All servers of a configuration. Immutable.
    ///
    /// @param joining those that can be called, in the order of the configuration
    /// @param absent those that cannot
    /// @param teams the ids of those that others consist of, by the id of each of these
    public record Servers(List<Joining> joining, List<Absent> absent, Map<String, List<String>> teams) {
        public Servers {
            joining = List.copyOf(joining);
            absent = List.copyOf(absent);
            teams = Collections.unmodifiableMap(new LinkedHashMap<>(teams));
        }

        /// Each stands for itself.
        public Servers(List<Joining> joining, List<Absent> absent) {
            this(joining, absent, Map.of());
        }
    }

    @Override
    public SessionSettings settings() {
        return parameters.settings();
    }

    @Override
    public SessionBounds bounds() {
        return parameters.bounds();
    }

    @Override
    public Target target(World same, RandomGenerator secrets) {
        return new Router(this, audience);
    }

    @Override
    public Conversation conversation(World same, Peer peer) {
        return new CrowdConversation(this, new Router(this, audience), peer);
    }

    @Override
    public Target soleTarget(World same, RandomGenerator secrets) {
        return new Router(this, audience, true);
    }

    Guests guests() {
        return guests;
    }

    // ---- Who is there

    Onlooker onlooker() {
        return parameters.onlooker();
    }

    World world() {
        return world;
    }

    ArgumentCheck arguments() {
        return arguments;
    }

    Catalog catalog() {
        return catalog;
    }

    /// All tools of all servers, as far as they are known.
    public ToolList tools() {
        return ToolList.of(catalog);
    }

    /// What clients see of the catalog.
    Displayed displayed() {
        return displayed;
    }

    /// What clients get to see.
    Menu menu() {
        return parameters.menu();
    }

    /// All that can be called, in the order of the configuration.
    List<Member> members() {
        return List.copyOf(present.members().values());
    }

    /// The names of all servers, also of those that cannot be called.
    List<String> names() {
        Present now = present;
        List<String> names = new ArrayList<>(now.members().keySet());
        names.addAll(now.teams().keySet());
        names.addAll(now.absent().keySet());
        return names;
    }

    /// Those that consist of others.
    Collection<Team> teams() {
        return present.teams().values();
    }

    /// What servers say they offer, for whoever waits for it.
    Lists lists() {
        return lists;
    }

    @Nullable
    Member member(String id) {
        return present.members().get(id);
    }

    @Nullable
    Team team(String id) {
        return present.teams().get(id);
    }

    @Nullable
    Absent absent(String id) {
        Absent absent = present.absent().get(id);
        return absent == null && member(id) == null ? expected.absent(id) : absent;
    }

    // ---- What they offer

    /// Begins to read from memory what servers offered when they were last seen. Lists that clients ask for meanwhile
    /// wait for it for a moment.
    public void remember() {
        recollection.begin(members(), () -> {});
    }

    /// How all servers are at this moment, in the order of the configuration, those that cannot be called last.
    public List<Sight> sights() {
        List<Sight> sights = new ArrayList<>();
        Present now = present;
        now.members().values().forEach(member -> sights.add(member.sight()));
        now.teams().values().forEach(team -> sights.add(team.sight(catalog.all(Kind.TOOLS))));
        now.absent().values().forEach(server -> sights.add(Sight.of(server)));
        expected.names().stream()
                .filter(id -> !now.members().containsKey(id))
                .forEach(id -> sights.add(Sight.of(Expected.coming(id))));
        return sights;
    }

    /// Starts a server anew. Blocks until it is known how it is then.
    ///
    /// @return null if there is no such server that can be called
    public @Nullable Condition restart(String server) throws InterruptedException {
        Member member = member(server);
        return member == null ? null : member.restart();
    }

    /// Connects to a server, if it has no connection. Blocks until it is known how it is then.
    ///
    /// @return null if there is no such server that can be called
    public @Nullable Condition connect(String server) throws InterruptedException {
        Member member = member(server);
        return member == null ? null : member.connect();
    }

    /// Asks a server for a sign of life, as a call that its breaker judges. Blocks for the answer.
    ///
    /// @return null if there is no such server that can be called
    public @Nullable Outcome ping(String server) {
        Member member = member(server);
        return member == null ? null : member.ping();
    }

    /// Whether a server works on a call, so that it would prove nothing if it gave no sign of life.
    public boolean isAtWork(String server) {
        Member member = member(server);
        return member != null && member.isAtWork();
    }

    /// Servers that are being added.
    public Expected expected() {
        return expected;
    }

    /// Waits until it is known how a server is, for as long as a caller has patience.
    public void awaitSettled(String server, Patience patience) throws InterruptedException {
        Member member = member(server);
        if (member != null) {
            member.life().awaitSettled(patience);
        }
    }

    /// Connects to these servers, as far as they can be called, and waits for none of them. Those that are for guests
    /// alone are started when the first one comes.
    public void warm(List<String> servers) {
        for (String server : servers) {
            Member member = member(server);
            if (member != null && member.isIsolated()) {
                guests.whenOneIsHere(member::wake);
            } else if (member != null) {
                member.wake();
            }
        }
    }

    // ---- What changes

    /// Hears the servers.
    private final class Ears implements News {
        @Override
        public void changed(Member member) {
            audience.changed(merged());
            prepareOnce();
        }

        @Override
        public void updated(Member member, Message.Notification notification) {
            audience.updated(member, notification);
        }
    }

    void prepareOnce() {
        if (prepared.compareAndSet(false, true)) {
            Thread.ofVirtual().name("fusebox-prepare").start(this::prepare);
        }
    }

    /// The first check of arguments takes half a second, which no call needs to wait for: calls will come now.
    private void prepare() {
        catalog.all(Kind.TOOLS).stream()
                .limit(1)
                .forEach(tool ->
                        arguments.check(tool.shown(), tool.item().definition().member("inputSchema"), null));
    }

    /// Puts all lists together anew; gives the kinds that are not what they were.
    private synchronized Set<Kind> merged() {
        Displayed before = displayed;
        Catalog next = new Catalog(members(), List.copyOf(present.teams().values()), catalog);
        catalog = next;
        displayed = new Displayed(next, menu());
        return displayed.differences(before);
    }

    // ---- Who comes and goes

    /// From now on the servers are these, in this order; those that are not named leave. Calls that are under
    /// way on what was before go on for so long at most. Does not block; not to be called by two threads at once.
    public void become(List<Fate> fates, Duration drain) {
        Present was = present;
        Map<String, Member> before = was.members();
        Map<String, Member> members = new LinkedHashMap<>();
        Map<String, Absent> absent = new LinkedHashMap<>();
        Map<String, List<String>> teams = new LinkedHashMap<>();
        for (Fate fate : fates) {
            Member member = before.get(fate.id());
            switch (fate) {
                case Fate.Stays stays -> members.put(stays.id(), there(member, stays));
                case Fate.Governed(String id, LaneRules lane, MemberRules rules, LifeRules life) -> {
                    there(member, fate).govern(lane, rules, life);
                    members.put(id, there(member, fate));
                }
                case Fate.Joins(Joining joining) -> members.put(fate.id(), joined(member, joining, drain));
                case Fate.Shared(String id, List<String> replicas) -> teams.put(id, replicas);
                case Fate.Missing(Absent server) -> absent.put(server.id(), server);
            }
        }
        members.values().stream()
                .filter(member -> expected.has(member.id()) && !before.containsKey(member.id()))
                .forEach(member -> member.life().added("added, starting it"));
        present = Present.of(members, absent, teams);
        fates.forEach(fate -> expected.remove(fate.id()));
        before.values().stream()
                .filter(member -> !members.containsKey(member.id()))
                .forEach(member -> drain(member.leave(), drain));
        if (closed) {
            members.values().forEach(Member::close);
        }
        told(fates.stream()
                .filter(Fate.Joins.class::isInstance)
                .map(fate -> there(members, fate.id()))
                .toList());
        tellSwitched(before, was);
    }

    /// Who is switched off has no life that could tell it, and who is switched on has a new one.
    private void tellSwitched(Map<String, Member> before, Present was) {
        Present now = present;
        now.absent().values().stream()
                .filter(server -> server.isOff() && before.containsKey(server.id()))
                .forEach(server -> tell(
                        server.id(),
                        there(before, server.id()).condition().status(),
                        Status.DISABLED,
                        server.why().message()));
        was.absent().values().stream()
                .filter(server -> server.isOff() && now.members().containsKey(server.id()))
                .forEach(server -> tell(server.id(), Status.DISABLED, Status.IDLE, "ready, not connected"));
    }

    private static Member there(Map<String, Member> members, String id) {
        return Objects.requireNonNull(members.get(id));
    }

    private void tell(String server, Status from, Status to, String message) {
        parameters.events().happened(server, new LifeEvent.StatusChanged(from, to, message));
    }

    private static Member there(@Nullable Member member, Fate fate) {
        return Objects.requireNonNull(member, () -> "there is no server " + fate.id() + " that could stay");
    }

    private Member joined(@Nullable Member before, Joining joining, Duration drain) {
        if (before == null) {
            return member(joining);
        }
        // In this order: its place in a full pool is then its own again, and nobody else's connection has to end for
        // it.
        drain(before.become(joining), drain);
        before.renew();
        return before;
    }

    /// If lists have been asked for, those of who is new are read now: nobody would ask for them before hearing
    /// that there is something new.
    private void told(List<Member> joined) {
        audience.changed(merged());
        recollection.begin(joined, this::wantAll);
    }

    private void wantAll() {
        if (!closed) {
            lists.renew();
        }
    }

    private void drain(Line line, Duration limit) {
        if (line.isEmpty()) {
            line.close();
            return;
        }
        leaving.add(line);
        Thread.ofVirtual().name("fusebox-drain").start(() -> {
            line.drain(closed ? Duration.ZERO : limit);
            leaving.remove(line);
        });
    }

    @Override
    public void close() {
        closed = true;
        present.members().values().forEach(Member::close);
        leaving.forEach(Line::close);
    }
}
