package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.gateway.arguments.ArgumentCheck;
import dev.fusebox.gateway.arguments.NullPolicy;
import dev.fusebox.gateway.era.ClientConversation;
import dev.fusebox.gateway.era.ClientMetadata;
import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.era.UpstreamEndpoint;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.session.SessionBounds;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.gateway.tools.AvailableTools;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Many servers as one. Each is reached through its own lane, and what one of them does or fails to do changes
/// nothing for the others. Thread-safe; calls block, and so does what an operator has done to one server.
public final class Crowd implements GatewayService {
    private final Platform platform;
    private final Parameters parameters;
    private final Audience audience;
    private final Recollection recollection;
    private final Searched searched = new Searched();
    private final Lists lists;
    private final ArgumentCheck arguments = new ArgumentCheck();
    private volatile NullPolicy nullPolicy = NullPolicy.LENIENT;
    private final AtomicBoolean prepared = new AtomicBoolean();
    private final Guests guests = new Guests(this::members);
    private final Roster roster;
    private volatile Catalog catalog = Catalog.EMPTY;
    private volatile Displayed displayed;
    private final CatalogViews views = new CatalogViews(this);

    /// What holds for all clients. Immutable.
    ///
    /// @param settings what a conversation keeps to
    /// @param bounds how many there may be over HTTP
    /// @param pages how many a server's list may have
    /// @param events hears of the lives of servers
    /// @param observer sees calls that are refused because their server cannot be called
    /// @param menu what clients see
    /// @param memory keeps what servers offer
    public record Parameters(
            SessionSettings settings,
            SessionBounds bounds,
            int pages,
            LifecycleEvent.Listener events,
            CallObserver observer,
            Menu menu,
            Memory memory) {
        /// Nobody hears of the lives of servers, clients see all that these have, and nothing is remembered.
        public Parameters(SessionSettings settings, SessionBounds bounds, int pages) {
            this(settings, bounds, pages, LifecycleEvent.Listener.NONE, CallObserver.NOBODY, Menu.proxy(), Memory.NONE);
        }

        /// The same with another menu.
        public Parameters with(Menu other) {
            return new Parameters(settings, bounds, pages, events, observer, other, memory);
        }
    }

    /// @param secrets makes the tickets of calls that wait for their client
    public Crowd(Platform platform, Parameters parameters, Servers servers, RandomGenerator secrets) {
        this.platform = platform;
        this.parameters = parameters;
        this.audience = new Audience(platform.timers());
        this.recollection = new Recollection(platform, parameters.memory(), () -> audience.changed(merged()));
        this.lists = new Lists(this, recollection);
        this.displayed = new Displayed(catalog, parameters.menu());
        Place place =
                new Place(platform, secrets, parameters.pages(), parameters.events(), parameters.memory(), guests);
        this.roster = new Roster(place, new Ears(), servers);
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
    public UpstreamEndpoint endpoint(Platform same, RandomGenerator secrets) {
        return new Router(this, audience);
    }

    @Override
    public ClientConversation clientConversation(Platform same, ServerMessageHandler serverMessageHandler) {
        return new CrowdConversation(this, new Router(this, audience), serverMessageHandler);
    }

    @Override
    public UpstreamEndpoint soleEndpoint(Platform same, RandomGenerator secrets) {
        return new Router(this, audience, true);
    }

    Guests guests() {
        return guests;
    }

    // ---- Who is there

    CallObserver observer() {
        return parameters.observer();
    }

    Platform platform() {
        return platform;
    }

    ArgumentCheck arguments() {
        return arguments;
    }

    NullPolicy nullPolicy() {
        return nullPolicy;
    }

    /// What becomes of nulls for optional arguments from now on.
    public void treat(NullPolicy other) {
        nullPolicy = other;
    }

    Catalog catalog() {
        return catalog;
    }

    /// All tools of all servers, as far as they are known.
    public ToolList tools() {
        return searched.of(catalog, members());
    }

    /// What clients see of the catalog.
    Displayed displayed() {
        return displayed;
    }

    /// The catalog as single clients see it.
    CatalogViews views() {
        return views;
    }

    /// What clients get to see.
    Menu menu() {
        return parameters.menu();
    }

    /// All that can be called, in the order of the configuration.
    List<Member> members() {
        return List.copyOf(roster.present().members().values());
    }

    /// The names of all servers, also of those that cannot be called.
    List<String> names() {
        return roster.names();
    }

    /// Those that consist of others.
    Collection<Team> teams() {
        return roster.present().teams().values();
    }

    /// What servers say they offer, for whoever waits for it.
    Lists lists() {
        return lists;
    }

    @Nullable
    Member member(String id) {
        return roster.present().members().get(id);
    }

    @Nullable
    Team team(String id) {
        return roster.present().teams().get(id);
    }

    @Nullable
    Absent absent(String id) {
        return roster.absent(id);
    }

    /// How long a client waits at most for servers of which nothing is known, not even from the cache.
    public void waitForFirstLists(Duration limit) {
        lists.waitAtFirst(limit);
    }

    /// Has all servers list what they offer of which nothing is known, and waits for them as a client does.
    public void readFirstLists() throws InterruptedException {
        lists.awaitTools(null, ListWait.unobserved(platform.ticker()));
    }

    // ---- What they offer

    /// Begins to read from memory what servers offered when they were last seen. Lists that clients ask for
    /// meanwhile wait for it for a moment.
    ///
    /// @param searcher is handed what there is then, before anybody searches it; may take a moment
    public void remember(Consumer<AvailableTools> searcher) {
        recollection.begin(members(), () -> {
            wantAll();
            searcher.accept(tools().availableTools());
        });
    }

    /// How all servers are at this moment, in the order of the configuration, those that cannot be called last.
    public List<Sight> sights() {
        return roster.sights(catalog);
    }

    /// Starts a server anew. Blocks until it is known how it is then.
    ///
    /// @return null if there is no such server that can be called
    public @Nullable ServerHealth restart(String server) throws InterruptedException {
        Member member = member(server);
        return member == null ? null : member.controls().restart();
    }

    /// Connects to a server, if it has no connection. Blocks until it is known how it is then.
    ///
    /// @return null if there is no such server that can be called
    public @Nullable ServerHealth connect(String server) throws InterruptedException {
        Member member = member(server);
        return member == null ? null : member.controls().connect();
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
        return roster.expected();
    }

    /// Waits until it is known how a server is, for as long as a caller has patience.
    public void awaitSettled(String server, Deadline deadline) throws InterruptedException {
        Member member = member(server);
        if (member != null) {
            member.lifecycle().awaitSettled(deadline);
        }
    }

    /// Connects to these servers, as far as they can be called, and waits for none of them. Those that are for
    /// guests alone are started when the first one comes.
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
        public void changed(ClientMetadata client, Set<Kind> kinds) {
            Set<Kind> seen = menu().hasAll() ? kinds : Set.of();
            if (!seen.isEmpty() && client.clientSession() instanceof CrowdConversation session) {
                session.listsChanged(seen);
            } else {
                audience.changed(seen);
            }
        }

        @Override
        public void updated(Member member, Message.Notification notification) {
            audience.updated(member, notification);
        }
    }

    void prepareOnce() {
        if (prepared.compareAndSet(false, true)) {
            VirtualThreadStarter.start("fusebox-prepare", this::prepare, () -> prepared.set(false));
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
        Catalog next = new Catalog(members(), List.copyOf(teams()), catalog);
        catalog = next;
        displayed = new Displayed(next, menu());
        return displayed.differences(before);
    }

    /// From now on the servers are these, in this order; those that are not named leave. Calls that are under
    /// way on what was before go on for so long at most. Does not block; not to be called by two threads at once.
    ///
    /// If lists have been asked for, those of who is new are read now: nobody would ask for them before hearing
    /// that there is something new.
    public void become(List<Fate> fates, Duration drain) {
        List<Member> joined = roster.become(fates, drain);
        audience.changed(merged());
        recollection.begin(joined, this::wantAll);
    }

    private void wantAll() {
        if (!roster.isClosed()) {
            lists.renew();
        }
    }

    @Override
    public void close() {
        roster.close();
    }
}
