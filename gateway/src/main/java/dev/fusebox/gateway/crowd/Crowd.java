package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Peer;
import dev.fusebox.gateway.arguments.ArgumentCheck;
import dev.fusebox.gateway.served.SessionBounds;
import dev.fusebox.gateway.served.SessionSettings;
import dev.fusebox.gateway.stateless.Conversation;
import dev.fusebox.gateway.stateless.Service;
import dev.fusebox.gateway.stateless.Target;
import dev.fusebox.protocol.Message;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Many servers as one. Each is reached through its own lane, and what one of them does or fails to do changes nothing
/// for the others. Thread-safe; only [#awaitLists] and calls block.
public final class Crowd implements Service {
    /// So long at most a list waits for servers that have not said yet what they offer.
    private static final Duration FOR_THE_SLOW = Duration.ofSeconds(1);

    private final World world;
    private final Parameters parameters;
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Map<String, Absent> absent = new LinkedHashMap<>();
    private final Audience audience;
    private final ArgumentCheck arguments = new ArgumentCheck();
    private final AtomicBoolean prepared = new AtomicBoolean();
    private final Member.News news = new Ears();
    private volatile Catalog catalog = Catalog.EMPTY;

    /// What holds for all clients. Immutable.
    ///
    /// @param settings what a conversation keeps to
    /// @param bounds how many there may be over HTTP
    /// @param pages how many a server's list may have
    public record Parameters(SessionSettings settings, SessionBounds bounds, int pages) {}

    /// @param secrets makes the tickets of calls that wait for their client
    public Crowd(World world, Parameters parameters, Servers servers, RandomGenerator secrets) {
        this.world = world;
        this.parameters = parameters;
        this.audience = new Audience(world.timers());
        for (Joining joining : servers.joining()) {
            Member member = new Member(new Member.Place(world, secrets, parameters.pages()), joining, news);
            members.put(member.id(), member);
        }
        servers.absent().forEach(server -> absent.put(server.id(), server));
    }

    /// All servers of a configuration. Immutable.
    ///
    /// @param joining those that can be called, in the order of the configuration
    /// @param absent those that cannot
    public record Servers(List<Joining> joining, List<Absent> absent) {
        public Servers {
            joining = List.copyOf(joining);
            absent = List.copyOf(absent);
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
        return new CrowdConversation(world, new Router(this, audience), peer);
    }

    // ---- Who is there

    World world() {
        return world;
    }

    ArgumentCheck arguments() {
        return arguments;
    }

    Catalog catalog() {
        return catalog;
    }

    @Nullable
    Member member(String id) {
        return members.get(id);
    }

    @Nullable
    Absent absent(String id) {
        return absent.get(id);
    }

    /// Waits until all servers have said what they offer. Each has a moment from when it was first asked: those that
    /// are slower are told of later, and nobody waits for them again.
    void awaitLists() throws InterruptedException {
        List<Shelf.Reading> readings = new ArrayList<>();
        for (Member member : members.values()) {
            Shelf.Reading reading = member.want();
            if (reading != null) {
                readings.add(reading);
            }
        }
        for (Shelf.Reading reading : readings) {
            Duration left = FOR_THE_SLOW.minusNanos(world.ticker().nanos() - reading.begunAt());
            if (left.isPositive()) {
                reading.done().await(world, left);
            }
        }
    }

    /// How all servers are at this moment, in the order of the configuration, those that cannot be called last.
    public List<Sight> sights() {
        List<Sight> sights = new ArrayList<>();
        members.values().forEach(member -> sights.add(member.sight()));
        absent.values().forEach(server -> sights.add(Sight.of(server)));
        return sights;
    }

    // ---- What changes

    /// Hears the servers.
    private final class Ears implements Member.News {
        @Override
        public void changed(Member member) {
            audience.changed(merged());
            if (prepared.compareAndSet(false, true)) {
                Thread.ofVirtual().name("fusebox-prepare").start(Crowd.this::prepare);
            }
        }

        @Override
        public void updated(Member member, Message.Notification notification) {
            audience.updated(member, notification);
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
        Catalog before = catalog;
        Catalog next = new Catalog(List.copyOf(members.values()), before);
        catalog = next;
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        for (Kind kind : Kind.values()) {
            if (!next.all(kind).equals(before.all(kind))) {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    @Override
    public void close() {
        members.values().forEach(Member::close);
    }
}
