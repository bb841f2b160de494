package dev.fusebox.gateway.pool;

import dev.fusebox.client.CallSuspension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Who gets a seat, and who has to leave one: rules alone, of time only what they are given. Not thread-safe: the
/// lock of the pool is around it, and whatever it decides is done outside of that.
///
/// A seat is taken until nothing of its connection is left. Of those who wait each may have one idle connection
/// end: the one that was used longest ago. A connection that a session owns and has used is never ended for
/// others; where all places are taken by such connections, another session is refused at once.
final class Seats {
    /// Who is wanted does not tell when that is over; the end of those that are idle may be late by a second.
    private static final long LEAST_LOOK = Duration.ofMillis(500).toNanos();

    /// How long a request waits for the seat of a removed server before another connection is closed for it.
    private static final long PATIENT = Duration.ofSeconds(1).toNanos();

    /// Once the oldest waiter has waited so long, or for half of the time that it may wait, a connection that is
    /// idle for a moment is ended for it.
    private static final long IMPATIENT = Duration.ofSeconds(5).toNanos();

    private final Set<Seat> taken = new LinkedHashSet<>();

    /// Their connections have ended or are ending; they count until nothing is left of them.
    private final Set<Seat> leaving = new HashSet<>();

    private final AbandonedCalls abandoned;
    private final Waiters waiters = new Waiters();
    private final Demand demand = new Demand();
    private PoolRules rules;
    private int servers = 1;

    /// @param callSuspensions since when the clients of all calls of a connection have been away; null if one of
    /// them is there
    Seats(PoolRules rules, Function<Seat, @Nullable CallSuspension> callSuspensions) {
        this.rules = rules;
        this.abandoned = new AbandonedCalls(callSuspensions);
    }

    /// What came of the wish for a seat.
    enum Wish {
        /// The waiter waits now; [#next] says when its turn is.
        WAITS,
        /// No more may wait, or more than may for a connection that can be spared.
        QUEUE_FULL,
        /// All places belong to sessions.
        NO_PLACE,
        /// Sessions of the same server have all places that one server may have.
        NO_PLACE_FOR_SERVER
    }

    /// What is to be done, outside of the lock. Immutable.
    ///
    /// @param woken those who have a seat now, or will not get one
    /// @param evicted whose connections end because others wait, or because the reserve is not needed any more
    /// @param expired whose connections end because they were idle for long
    /// @param abandoned calls that end because their clients do not come back and others wait
    /// @param reserved how many of those who have a seat have one of the reserve
    /// @param isShort whether a caller has to wait, or gets the place of a server that was used a moment ago
    record Step(
            List<Waiter> woken,
            List<Seat> evicted,
            List<Seat> expired,
            List<AbandonedCalls.Call> abandoned,
            int reserved,
            boolean isShort) {}

    PoolRules rules() {
        return rules;
    }

    void become(PoolRules other) {
        rules = other;
    }

    /// @param count how many servers may have connections here
    void share(int count) {
        servers = count;
    }

    // ---- What happens

    /// A seat is needed.
    ///
    /// @param now by the monotonic clock
    Wish want(Waiter waiter, long now) {
        demand.note(waiter.tenant(), now);
        Wish wish = wish(waiter, now);
        if (wish == Wish.WAITS) {
            waiters.add(waiter);
        }
        return wish;
    }

    private Wish wish(Waiter waiter, long now) {
        Tenant tenant = waiter.tenant();
        Wish prospect = tenant.isOwned() ? prospect(tenant) : Wish.WAITS;
        boolean isFree = waiters.size() == 0 && taken.size() < rules.size();
        if (isFree || prospect != Wish.WAITS) {
            return prospect;
        }
        boolean mayWait = waiters.size() < rules.waiting().length()
                && (waiter.urgency() == Urgency.NEEDED || isRoomFor(tenant, now));
        return mayWait ? Wish.WAITS : Wish.QUEUE_FULL;
    }

    /// Whether a session that waits for a place can get one without the end of another session.
    private Wish prospect(Tenant tenant) {
        boolean isSpent = shares().isSpent(tenant);
        if (isSpent
                && taken.stream()
                        .noneMatch(seat ->
                                leaving.contains(seat) ? isOfSameServer(seat, tenant) : isUnused(seat, tenant))) {
            return Wish.NO_PLACE_FOR_SERVER;
        }
        return mayBecomeFree(tenant) ? Wish.WAITS : Wish.NO_PLACE;
    }

    private static boolean isOfSameServer(Seat seat, Tenant tenant) {
        return seat.tenant().server().equals(tenant.server());
    }

    /// Whether a connection counts among those of the sessions of this tenant's server, and no session has used
    /// it: the gateway reads the lists of the server over it, or its session's first call is on the way.
    private static boolean isUnused(Seat seat, Tenant tenant) {
        return isOfSameServer(seat, tenant) && seat.tenant().isOwned() && seat.givesWay();
    }

    private Shares shares() {
        return new Shares(rules.size(), servers, taken);
    }

    private boolean mayBecomeFree(Tenant tenant) {
        return taken.size() < rules.size() + rules.reserve().size()
                || taken.stream()
                        .anyMatch(seat -> leaving.contains(seat)
                                || seat.givesWay()
                                || seat.tenant().equals(tenant));
    }

    /// Whether another connection can be closed at once, and no other request waits for that.
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
        abandoned.forget(seat);
        taken.remove(seat);
    }

    // ---- What follows from it

    Step next(long now) {
        int before = Math.max(taken.size(), rules.size());
        List<Waiter> woken = granted(now);
        int reserved = Math.max(0, taken.size() - before);
        woken.addAll(dismissed());
        List<Seat> evicted = evicted(now);
        boolean isShort = waiters.size() > leaving.size()
                || (waiters.size() > 0 && evicted.stream().anyMatch(seat -> Demand.isRecent(seat, now)));
        return new Step(woken, evicted, expired(now), abandoned(now), reserved, isShort);
    }

    private List<Waiter> granted(long now) {
        List<Waiter> woken = new ArrayList<>();
        Shares shares = shares();
        Waiter first = taken.size() < limit(now) ? takeNext(shares) : null;
        while (first != null) {
            Seat seat = new Seat(first.tenant(), first.urgency(), now);
            taken.add(seat);
            shares.count(first.tenant());
            first.take(seat);
            woken.add(first);
            first = taken.size() < limit(now) ? takeNext(shares) : null;
        }
        return woken;
    }

    /// Sessions for which there will be no place: others have got what they waited for.
    private List<Waiter> dismissed() {
        List<Waiter> dismissed = new ArrayList<>();
        for (Waiter waiter : waiters.all()) {
            Wish prospect = waiter.tenant().isOwned() ? prospect(waiter.tenant()) : Wish.WAITS;
            if (prospect != Wish.WAITS) {
                waiters.remove(waiter);
                waiter.dismiss(prospect);
                dismissed.add(waiter);
            }
        }
        return dismissed;
    }

    /// Servers that have half of the places or more let others go first.
    private @Nullable Waiter takeNext(Shares shares) {
        Waiter modest = waiters.take(waiter -> !shares.isSpent(waiter.tenant())
                && !shares.hasHalf(waiter.tenant().server()));
        return modest != null ? modest : waiters.take(waiter -> !shares.isSpent(waiter.tenant()));
    }

    /// How many connections there may be; more once the oldest request has waited for long.
    private int limit(long now) {
        Waiter oldest = waiters.oldest();
        boolean isLong = oldest != null
                && now - oldest.since() >= rules.reserve().after().toNanos();
        return rules.size() + (isLong ? rules.reserve().size() : 0);
    }

    /// Each of those who wait gets the seat of one that leaves; what is over the size leaves when it can.
    private List<Seat> evicted(long now) {
        List<Seat> evicted = new ArrayList<>();
        Shares shares = shares();
        long wanted = Math.max(wanted(shares, now), taken.size() - rules.size());
        Seat next = leaving.size() < wanted ? evictOne(shares, now) : null;
        while (next != null) {
            evicted.add(next);
            next = leaving.size() < wanted ? evictOne(shares, now) : null;
        }
        evicted.addAll(unused(shares, now));
        return evicted;
    }

    /// A session whose server has all places that it may have gets that of a connection which no session has used.
    private List<Seat> unused(Shares shares, long now) {
        List<Seat> unused = new ArrayList<>();
        for (Waiter waiter : waiters.all()) {
            Tenant tenant = waiter.tenant();
            boolean isNext = shares.isSpent(tenant) && leaving.stream().noneMatch(seat -> isOfSameServer(seat, tenant));
            Seat seat = isNext ? closeUnused(tenant, now) : null;
            if (seat != null) {
                leaving.add(seat);
                unused.add(seat);
            }
        }
        return unused;
    }

    private @Nullable Seat closeUnused(Tenant tenant, long now) {
        return staying().stream()
                .filter(seat -> isUnused(seat, tenant) && seat.isIdle(now) && seat.tryClose())
                .findFirst()
                .orElse(null);
    }

    /// How many seats others have to leave for those who wait.
    private long wanted(Shares shares, long now) {
        long served = waiters.all().stream()
                .filter(waiter -> !shares.isSpent(waiter.tenant()))
                .count();
        return served - awaiting(now);
    }

    /// Where no idle connection makes room, calls end whose clients have been away for long.
    private List<AbandonedCalls.Call> abandoned(long now) {
        long missing = wanted(shares(), now) - leaving.size() - resting(now);
        return missing <= 0 ? List.of() : abandoned.end(missing, staying(), now);
    }

    /// Idle connections that will make room when they have been unused for long enough.
    private long resting(long now) {
        return taken.stream()
                .filter(seat -> !leaving.contains(seat) && isDispensable(seat, now))
                .count();
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

    private @Nullable Seat evictOne(Shares shares, long now) {
        for (Seat seat : staying()) {
            boolean mayRest = seat.restsFor(now) > 0
                    && !isImpatient(now)
                    && !shares.hasMoreThanHalf(seat.tenant().server());
            boolean isForced = waiters.isWaiting(seat.tenant()) || waiters.size() == 0;
            if ((isForced || !mayRest) && isDispensable(seat, now) && seat.tryClose()) {
                leaving.add(seat);
                return seat;
            }
        }
        return null;
    }

    private boolean isImpatient(long now) {
        return impatientIn(now) <= 0;
    }

    /// How long the oldest waiter is still patient with servers that were used a moment ago.
    private long impatientIn(long now) {
        Waiter oldest = waiters.oldest();
        long patience = Math.min(IMPATIENT, rules.waiting().limit().toNanos() / 2);
        return oldest == null ? Long.MAX_VALUE : patience - (now - oldest.since());
    }

    /// A server that needs another connection itself, to find out how to talk to it, gives up the one it has.
    private boolean isDispensable(Seat seat, long now) {
        boolean isForOthers = seat.givesWay() && seat.isIdle(now);
        boolean isForItself = !seat.isProtected() && seat.isFree() && waiters.isWaiting(seat.tenant());
        return isForOthers || isForItself;
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

    /// Those that may be closed when idle: not those that were used last, unless they are ephemeral.
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

    /// Least recently used first; times of a clock that may wrap around.
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
        long due = LongStream.of(reserveDue(now), freshDue(now), retiredDue(now), awayDue(now), idleDue(now))
                .min()
                .orElse(Long.MAX_VALUE);
        return due == Long.MAX_VALUE ? null : Duration.ofNanos(due);
    }

    private long reserveDue(long now) {
        Waiter oldest = waiters.oldest();
        if (oldest == null || taken.size() >= rules.size() + rules.reserve().size()) {
            return Long.MAX_VALUE;
        }
        long left = rules.reserve().after().toNanos() - (now - oldest.since());
        // A request that has not got one of the reserve by then may have none.
        return left > 0 ? left : Long.MAX_VALUE;
    }

    /// When those that wait for the seat of a removed server have waited long enough.
    private long retiredDue(long now) {
        return retired() == 0
                ? Long.MAX_VALUE
                : waiters.all().stream()
                        .mapToLong(waiter -> patience(waiter, now))
                        .filter(left -> left > 0)
                        .min()
                        .orElse(Long.MAX_VALUE);
    }

    /// When a caller waits: one that has not been used yet, or that was used a moment ago, may be let go of soon.
    private long freshDue(long now) {
        if (!isPressed()) {
            return Long.MAX_VALUE;
        }
        LongStream left =
                taken.stream().filter(Seat::isFree).mapToLong(seat -> Math.max(seat.freshFor(now), seat.restsFor(now)));
        return LongStream.concat(left, LongStream.of(impatientIn(now)))
                .filter(nanos -> nanos > 0)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private long awayDue(long now) {
        return waiters.size() == 0 ? Long.MAX_VALUE : abandoned.due(staying(), now);
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

    /// Places that the sessions of one server may have where several servers share the pool.
    int mostOfOneServer() {
        return shares().most();
    }

    /// How many connections were needed within the last minute.
    int needed(long now) {
        return demand.needed(taken, now);
    }

    List<Seat> taken() {
        return List.copyOf(taken);
    }

    /// Sends away all who wait, or those of one tenant.
    List<Waiter> dismiss(@Nullable Tenant tenant) {
        List<Waiter> sent = waiters.all().stream()
                .filter(waiter -> tenant == null || waiter.tenant().root().equals(tenant))
                .toList();
        sent.forEach(waiter -> {
            waiters.remove(waiter);
            waiter.dismiss(Wish.QUEUE_FULL);
        });
        return sent;
    }
}
