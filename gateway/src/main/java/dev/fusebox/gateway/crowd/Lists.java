package dev.fusebox.gateway.crowd;

import dev.fusebox.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Has servers say what they offer, and waits a moment for those that have not said it yet: whoever is slower is
/// told of later, and nobody waits for it again. Thread-safe; what begins with `await` blocks, for a second at most.
final class Lists {
    /// So long at most somebody waits for servers that have not said yet what they offer: what is there by then is put
    /// together and sent within a second.
    private static final Duration FOR_THE_SLOW = Duration.ofMillis(850);

    /// As long as a breaker rests.
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

    private final Crowd crowd;
    private final World world;
    private final Recollection recollection;

    /// Whether anybody has ever asked for lists.
    private volatile boolean wanted;

    /// Whether anybody has ever looked for tools of all servers, also of those that are not on the menu.
    private volatile boolean allWanted;

    Lists(Crowd crowd, Recollection recollection) {
        this.crowd = crowd;
        this.world = crowd.world();
        this.recollection = recollection;
    }

    /// Waits for what is being read from memory, unless it takes too long.
    void awaitMemory() throws InterruptedException {
        Shelf.Reading reading = recollection.latest();
        if (reading != null) {
            await(List.of(reading));
        }
    }

    /// Waits until all servers of which clients see anything have said what they offer.
    void awaitShown() throws InterruptedException {
        wanted = true;
        await(unknown(onMenu(), Member::want));
    }

    /// The same for whoever looks for tools: servers that are not on the menu count, and those that have just
    /// failed are not asked again.
    ///
    /// @param server the only one that counts; null for all
    void awaitTools(@Nullable String server) throws InterruptedException {
        wanted = true;
        if (server == null) {
            allWanted = true;
        }
        List<Member> asked = crowd.members().stream()
                .filter(member -> server == null || member.id().equals(server))
                .toList();
        await(unknown(asked, member -> member.wantAfter(AFTER_FAILURE)));
    }

    /// Has those say what they offer of whom nobody knows it. A server that may be remembered is not started for that:
    /// as soon as it is known whether it is, [#renew] asks those that are not.
    private List<Shelf.Reading> unknown(List<Member> members, Function<Member, Shelf.@Nullable Reading> want)
            throws InterruptedException {
        awaitMemory();
        return recollection.isUnderWay()
                ? List.of()
                : members.stream()
                        .flatMap(member -> Optional.ofNullable(want.apply(member)).stream())
                        .toList();
    }

    /// There are other servers than before: if lists have been asked for, theirs are read now, as nobody would ask for
    /// them before hearing that there is something new.
    void renew() {
        if (wanted) {
            (allWanted ? crowd.members() : onMenu()).forEach(Member::want);
        }
    }

    private List<Member> onMenu() {
        return crowd.members().stream().filter(this::isOnMenu).toList();
    }

    private boolean isOnMenu(Member member) {
        return crowd.menu().concerns(member.id())
                || crowd.teams().stream()
                        .anyMatch(team -> crowd.menu().concerns(team.id())
                                && team.members().contains(member));
    }

    private void await(List<Shelf.Reading> readings) throws InterruptedException {
        for (Shelf.Reading reading : readings) {
            Duration left = FOR_THE_SLOW.minusNanos(world.ticker().nanos() - reading.begunAt());
            if (left.isPositive()) {
                reading.done().await(world, left);
            }
        }
        if (!crowd.catalog().all(Kind.TOOLS).isEmpty()) {
            crowd.prepareOnce();
        }
    }
}
