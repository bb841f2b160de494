package dev.fusebox.gateway.crowd;

import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.VirtualThreadStarter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Which servers there are, and who comes and goes. Thread-safe; nothing blocks, and only one thread at a time may
/// let it [#become] another.
final class Roster {
    private static final System.Logger LOG = LazyLoggers.of(Roster.class);

    private final Place place;
    private final News news;
    private final Expected expected;

    /// Lines of servers that are not what they were, or are no more, as long as calls are under way on them.
    private final Set<Line> leaving = ConcurrentHashMap.newKeySet();

    private volatile Present present;
    private volatile boolean closed;

    /// @param news hears the servers
    Roster(Place place, News news, Crowd.Servers servers) {
        this.place = place;
        this.news = news;
        this.expected = new Expected(place.platform(), place.events());
        Map<String, Member> members = new LinkedHashMap<>();
        Map<String, Absent> absent = new LinkedHashMap<>();
        for (Joining joining : servers.joining()) {
            Member member = new Member(place, joining, news);
            members.put(member.id(), member);
        }
        servers.absent().forEach(server -> absent.put(server.id(), server));
        this.present = Present.of(members, absent, servers.teams());
    }

    // ---- Who is there

    Present present() {
        return present;
    }

    /// Servers that are being added.
    Expected expected() {
        return expected;
    }

    boolean isClosed() {
        return closed;
    }

    /// The names of all servers, also of those that cannot be called.
    List<String> names() {
        Present now = present;
        List<String> names = new ArrayList<>(now.members().keySet());
        names.addAll(now.teams().keySet());
        names.addAll(now.absent().keySet());
        return names;
    }

    /// Also what is being added cannot be called yet.
    @Nullable
    Absent absent(String id) {
        Present now = present;
        Absent absent = now.absent().get(id);
        return absent == null && !now.members().containsKey(id) ? expected.absent(id) : absent;
    }

    /// How all are at this moment, in the order of the configuration, those that cannot be called last.
    ///
    /// @param catalog what all of them offer
    List<Sight> sights(Catalog catalog) {
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

    // ---- Who comes and goes

    /// From now on the servers are these, in this order; those that are not named leave. Calls that are under way
    /// on what was before go on for so long at most.
    ///
    /// @return those that are new, or are reached otherwise than before
    List<Member> become(List<Fate> fates, Duration drain) {
        Present was = present;
        Present next = next(was, fates, drain);
        next.members().values().stream()
                .filter(member -> expected.has(member.id()) && !was.members().containsKey(member.id()))
                .forEach(member -> member.lifecycle().begin(ServerStatus.PROVISIONING, "added, starting it"));
        tellSwitchedOn(was, next);
        present = next;
        fates.forEach(fate -> expected.remove(fate.id()));
        was.members().values().stream()
                .filter(member -> !next.members().containsKey(member.id()))
                .forEach(member -> drain(member.leave(), drain));
        if (closed) {
            next.members().values().forEach(Member::close);
        }
        tellSwitchedOff(was, next);
        return fates.stream()
                .filter(Fate.Joins.class::isInstance)
                .map(fate -> there(next.members(), fate.id()))
                .toList();
    }

    private Present next(Present was, List<Fate> fates, Duration drain) {
        Map<String, Member> members = new LinkedHashMap<>();
        Map<String, Absent> absent = new LinkedHashMap<>();
        Map<String, List<String>> teams = new LinkedHashMap<>();
        for (Fate fate : fates) {
            String id = fate.id();
            switch (fate) {
                case Fate.Stays stays -> members.put(id, there(was.members(), id));
                case Fate.Governed governed -> members.put(id, governed(there(was.members(), id), governed));
                case Fate.Joins(Joining joining) ->
                    members.put(id, joined(was.members().get(id), joining, drain));
                case Fate.Shared(String team, List<String> replicas) -> teams.put(team, replicas);
                case Fate.Missing(Absent server) -> absent.put(id, server);
            }
        }
        return Present.of(members, absent, teams);
    }

    private static Member there(Map<String, Member> members, String id) {
        return Objects.requireNonNull(members.get(id), () -> "there is no server " + id);
    }

    private static Member governed(Member member, Fate.Governed fate) {
        member.govern(fate.lane(), fate.rules(), fate.life());
        return member;
    }

    private Member joined(@Nullable Member before, Joining joining, Duration drain) {
        if (before == null) {
            return new Member(place, joining, news);
        }
        // In this order: its place in a full pool is then its own again, and nobody else's connection has to end
        // for it.
        drain(before.become(joining), drain);
        before.renew();
        return before;
    }

    /// Who can be called again has a new life, which tells what comes after this.
    private void tellSwitchedOn(Present was, Present now) {
        was.absent().values().stream()
                .filter(server -> now.members().containsKey(server.id()))
                .forEach(server -> tell(server.id(), server.status(), ServerStatus.IDLE, ServerHealth.NOT_CONNECTED));
    }

    /// Who cannot be called any more, because it is switched off for example, has no life that could tell it.
    private void tellSwitchedOff(Present was, Present now) {
        now.absent().values().stream()
                .filter(server -> was.members().containsKey(server.id()))
                .forEach(server -> tell(
                        server.id(),
                        there(was.members(), server.id()).health().status(),
                        server.status(),
                        server.why().message()));
    }

    private void tell(String server, ServerStatus from, ServerStatus to, String message) {
        place.events().happened(server, new LifecycleEvent.StatusChanged(from, to, message));
    }

    private void drain(Line line, Duration limit) {
        if (line.isEmpty()) {
            closeSafely(line);
            return;
        }
        leaving.add(line);
        VirtualThreadStarter.start(
                "fusebox-drain",
                () -> {
                    line.drain(closed ? Duration.ZERO : limit);
                    leaving.remove(line);
                },
                () -> {
                    closeSafely(line);
                    leaving.remove(line);
                });
    }

    /// Whatever goes wrong with one server, the others become what they shall be.
    private static void closeSafely(Line line) {
        try {
            line.close();
        } catch (RuntimeException | Error bug) {
            LOG.log(System.Logger.Level.ERROR, "failed to release removed server (internal error)", bug);
        }
    }

    /// Ends all servers, and what is left of those that were.
    void close() {
        closed = true;
        present.members().values().forEach(Member::close);
        leaving.forEach(Line::close);
    }
}
