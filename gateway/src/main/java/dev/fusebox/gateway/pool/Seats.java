package dev.fusebox.gateway.pool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Who gets a seat, and who has to leave one: rules alone, of time only what they are given. Not thread-safe: the lock
/// of the pool is around it, and whatever it decides is done outside of that.
///
/// A seat is taken until nothing of its connection is left. Of those who wait each may have one idle connection end:
/// the one that was used longest ago.
final class Seats {
    /// Who is wanted does not tell when that is over; the end of those that are idle may be late by a second.
    private static final long LEAST_LOOK = Duration.ofMillis(500).toNanos();

    /// So long nobody has to leave for somebody who may have the seat of a server that is no more.
    private static final long PATIENT = Duration.ofSeconds(1).toNanos();

    private final Set<Seat> taken = new LinkedHashSet<>();

    /// Their connections have ended or are ending; they count until nothing is left of them.
    private final Set<Seat> leaving = new HashSet<>();

    private final Waiters waiters = new Waiters();
    private PoolRules rules;

    Seats(PoolRules rules) {
        this.rules = rules;
    }

    /// What is to be done, outside of the lock. Immutable.
    ///
    /// @param woken those who have a seat now
    /// @param evicted whose connections end because others wait, or because the reserve is not needed any more
    /// @param expired whose connections end because nobody used them for long
    /// @param reserved how many of those who have a seat have one of the reserve
    record Step(List<Waiter> woken, List<Seat> evicted, List<Seat> expired, int reserved) {}

    PoolRules rules() {
        return rules;
    }

    void become(PoolRules other) {
        rules = other;
    }

    // ---- What happens

    /// Somebody needs a seat; false if too many wait already, or more than may for one that can be spared.
    ///
    /// @param now by the monotonic clock
    boolean want(Waiter waiter, long now) {
        boolean isFree = waiters.size() == 0 && taken.size() < rules.size();
        boolean mayWait = isFree
                || (waiters.size() < rules.waiting().length()
                        && (waiter.urgency() == Urgency.NEEDED || isRoomFor(waiter.tenant(), now)));
        if (mayWait) {
            waiters.add(waiter);
        }
        return mayWait;
    }

    /// Whether somebody else can leave at once, and nobody waits for that.
    private boolean isRoomFor(Tenant tenant, long now) {
        return waiters.size() == 0
                && staying().stream().anyMatch(seat -> !seat.tenant().equals(tenant) && isDispensable(seat, now));
    }

    void waitNoMore(Waiter waiter) {
        waiters.remove(waiter);
    }

    /// The connection has ended, or is ending; false if that is known.
    boolean leave(Seat seat) {
        return taken.contains(seat) && leaving.add(seat);
    }

    /// Nothing is left of the connection.
    void free(Seat seat) {
        leaving.remove(seat);
        taken.remove(seat);
    }

    // ---- What follows from it

    Step next(long now) {
        int before = Math.max(taken.size(), rules.size());
        List<Waiter> woken = granted(now);
        int reserved = Math.max(0, taken.size() - before);
        List<Seat> evicted = evicted(now);
        return new Step(woken, evicted, expired(now), reserved);
    }

    private List<Waiter> granted(long now) {
        List<Waiter> woken = new ArrayList<>();
        while (waiters.size() > 0 && taken.size() < limit(now)) {
            Waiter first = waiters.take();
            Seat seat = new Seat(first.tenant(), first.urgency(), now);
            taken.add(seat);
            first.take(seat);
            woken.add(first);
        }
        return woken;
    }

    /// So many there may be; more once somebody has waited for long.
    private int limit(long now) {
        Waiter oldest = waiters.oldest();
        boolean isLong = oldest != null
                && now - oldest.since() >= rules.reserve().after().toNanos();
        return rules.size() + (isLong ? rules.reserve().size() : 0);
    }

    /// Each of those who wait gets the seat of one that leaves; what is over the size leaves when it can.
    private List<Seat> evicted(long now) {
        List<Seat> evicted = new ArrayList<>();
        int wanted = Math.max(waiters.size() - awaiting(now), taken.size() - rules.size());
        Seat next = leaving.size() < wanted ? evictOne(now) : null;
        while (next != null) {
            evicted.add(next);
            next = leaving.size() < wanted ? evictOne(now) : null;
        }
        return evicted;
    }

    /// How many of those who wait have not waited long, and can have a seat that will be left in any case.
    private int awaiting(long now) {
        long patient = waiters.all().stream()
                .filter(waiter -> patience(waiter, now) > 0)
                .count();
        return (int) Math.min(patient, retired());
    }

    private static long patience(Waiter waiter, long now) {
        return PATIENT - (now - waiter.since());
    }

    private long retired() {
        return taken.stream()
                .filter(seat -> !leaving.contains(seat) && seat.tenant().isRetired())
                .count();
    }

    private @Nullable Seat evictOne(long now) {
        for (Seat seat : staying()) {
            if (isDispensable(seat, now) && seat.tryClose()) {
                leaving.add(seat);
                return seat;
            }
        }
        return null;
    }

    /// A server that needs another connection itself, to find out how to talk to it, gives up the one it has.
    private boolean isDispensable(Seat seat, long now) {
        boolean isForOthers = seat.givesWay() && seat.isIdle(now);
        return isForOthers || (seat.isFree() && waiters.isWaiting(seat.tenant()));
    }

    private List<Seat> expired(long now) {
        List<Seat> expired = new ArrayList<>();
        for (Seat seat : spare()) {
            if (isOverdue(seat, now) && seat.isIdle(now) && seat.tryClose()) {
                leaving.add(seat);
                expired.add(seat);
            }
        }
        return expired;
    }

    /// Those that may end when nobody uses them: not those that were used last, unless they are to be brief.
    private List<Seat> spare() {
        List<Seat> staying = staying();
        int others = staying.size() - rules.keeping().least();
        List<Seat> spare = new ArrayList<>();
        for (int i = 0; i < staying.size(); i++) {
            Seat seat = staying.get(i);
            if (i < others || seat.tenant().stay().isBrief()) {
                spare.add(seat);
            }
        }
        return spare;
    }

    /// Whoever was used longest ago is the first; times of a clock that may wrap around.
    private List<Seat> staying() {
        return taken.stream()
                .filter(seat -> !leaving.contains(seat))
                .sorted((one, other) -> Long.signum(one.usedAt() - other.usedAt()))
                .toList();
    }

    private boolean isOverdue(Seat seat, long now) {
        Duration limit = seat.limit(rules.keeping().idle());
        return limit != null && now - seat.usedAt() >= limit.toNanos();
    }

    // ---- What is due

    /// How long until time alone changes something; null if it does not.
    @Nullable
    Duration due(long now) {
        long due = Math.min(Math.min(reserveDue(now), freshDue(now)), Math.min(retiredDue(now), idleDue(now)));
        return due == Long.MAX_VALUE ? null : Duration.ofNanos(due);
    }

    private long reserveDue(long now) {
        Waiter oldest = waiters.oldest();
        if (oldest == null || taken.size() >= rules.size() + rules.reserve().size()) {
            return Long.MAX_VALUE;
        }
        return Math.max(0, rules.reserve().after().toNanos() - (now - oldest.since()));
    }

    /// When those who wait for the seat of a server that is no more have waited long enough.
    private long retiredDue(long now) {
        return retired() == 0
                ? Long.MAX_VALUE
                : waiters.all().stream()
                        .mapToLong(waiter -> patience(waiter, now))
                        .filter(left -> left > 0)
                        .min()
                        .orElse(Long.MAX_VALUE);
    }

    /// When somebody waits: one that nobody has used yet may be let go of soon.
    private long freshDue(long now) {
        return !isPressed()
                ? Long.MAX_VALUE
                : taken.stream()
                        .filter(Seat::isFree)
                        .mapToLong(seat -> seat.freshFor(now))
                        .filter(left -> left > 0)
                        .min()
                        .orElse(Long.MAX_VALUE);
    }

    /// One that is wanted when its time is over is looked at again soon.
    private long idleDue(long now) {
        long due = Long.MAX_VALUE;
        for (Seat seat : spare()) {
            Duration limit = seat.limit(rules.keeping().idle());
            if (limit != null) {
                due = Math.min(due, Math.max(limit.toNanos() - (now - seat.usedAt()), LEAST_LOOK));
            }
        }
        return due;
    }

    // ---- How it is

    int leaving() {
        return leaving.size();
    }

    int waiting() {
        return waiters.size();
    }

    /// Whether it matters that a connection becomes idle.
    boolean isPressed() {
        return waiters.size() > 0 || taken.size() > rules.size();
    }

    List<Seat> taken() {
        return List.copyOf(taken);
    }

    /// Sends away all who wait, or those of one tenant.
    List<Waiter> dismiss(@Nullable Tenant tenant) {
        List<Waiter> sent = waiters.all().stream()
                .filter(waiter -> tenant == null || waiter.tenant().equals(tenant))
                .toList();
        sent.forEach(waiter -> {
            waiters.remove(waiter);
            waiter.dismiss();
        });
        return sent;
    }
}
