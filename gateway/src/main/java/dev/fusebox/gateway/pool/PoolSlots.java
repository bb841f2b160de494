package dev.fusebox.gateway.pool;

import dev.fusebox.client.CallSuspension;
import dev.fusebox.config.PoolRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// The allocation rules of the pool: which request gets a slot, and which connection is closed. They read no
/// clock. Not thread-safe: guarded by the lock of the pool, which carries out decisions outside of it.
///
/// A slot is taken until its connection is closed completely. For each waiting request one idle connection may be
/// closed: the least recently used. A connection that a session owns and has used is never closed for others; if
/// all slots are taken by such connections, another session is rejected immediately.
final class PoolSlots {
    /// A borrower does not report when it stops being wanted; closing its idle connection may be late by a
    /// second.
    private static final long LEAST_LOOK = Duration.ofMillis(500).toNanos();

    /// How long a request waits for the slot of a removed server before another connection is closed for it.
    private static final long PATIENT = Duration.ofSeconds(1).toNanos();

    /// Once the oldest request has waited this long, or for half of its time limit, a connection that has been
    /// idle only for a moment is closed for it.
    private static final long IMPATIENT = Duration.ofSeconds(5).toNanos();

    private final Set<PoolSlot> taken = new LinkedHashSet<>();

    /// Slots whose connections have ended or are closing; they count until the connections are closed completely.
    private final Set<PoolSlot> leaving = new HashSet<>();

    private final AbandonedCalls abandoned;
    private final WaitQueue waitQueue = new WaitQueue();
    private final ConnectionDemand connectionDemand = new ConnectionDemand();
    private PoolRules rules;
    private int servers = 1;

    /// @param callSuspensions supplies since when the clients of all calls of a connection have been away; null
    ///     if one of them is there
    PoolSlots(PoolRules rules, Function<PoolSlot, @Nullable CallSuspension> callSuspensions) {
        this.rules = rules;
        this.abandoned = new AbandonedCalls(callSuspensions);
    }

    /// The result of a request for a slot.
    enum RequestResult {
        /// The request is queued; [#next] serves it.
        WAITS,
        /// The queue is full, or full for requests for a spare connection.
        QUEUE_FULL,
        /// All places belong to sessions.
        NO_PLACE,
        /// Sessions of the same server have all places that one server may have.
        NO_PLACE_FOR_SERVER
    }

    /// The actions to carry out outside of the lock. Immutable.
    ///
    /// @param woken requests that have a slot now, or will not get one
    /// @param evicted slots whose connections are closed because others wait, or because the reserve is not
    ///     needed any more
    /// @param expired slots whose connections are closed because they were idle for long
    /// @param abandoned calls that are cancelled because their clients are away and others wait
    /// @param reserved how many of the assigned slots are from the reserve
    /// @param isShort whether a request has to wait, or gets the place of a server that was used a moment ago
    record Step(
            List<PoolWaiter> woken,
            List<PoolSlot> evicted,
            List<PoolSlot> expired,
            List<AbandonedCalls.Call> abandoned,
            int reserved,
            boolean isShort) {}

    PoolRules rules() {
        return rules;
    }

    void update(PoolRules other) {
        rules = other;
    }

    /// @param count number of servers that may have connections here
    void share(int count) {
        servers = count;
    }

    // ---- Events

    /// Requests a slot.
    ///
    /// @param now by the monotonic clock
    RequestResult want(PoolWaiter waiter, long now) {
        connectionDemand.note(waiter.borrower(), now);
        RequestResult wish = wish(waiter, now);
        if (wish == RequestResult.WAITS) {
            waitQueue.add(waiter);
        }
        return wish;
    }

    private RequestResult wish(PoolWaiter waiter, long now) {
        Borrower borrower = waiter.borrower();
        RequestResult prospect = borrower.isOwned() ? prospect(borrower) : RequestResult.WAITS;
        boolean isFree = waitQueue.size() == 0 && taken.size() < rules.size();
        if (isFree || prospect != RequestResult.WAITS) {
            return prospect;
        }
        boolean mayWait = waitQueue.size() < rules.waiting().length()
                && (waiter.priority() == Priority.NEEDED || isRoomFor(borrower, now));
        return mayWait ? RequestResult.WAITS : RequestResult.QUEUE_FULL;
    }

    /// Whether a session that waits for a place can get one before another session ends.
    private RequestResult prospect(Borrower borrower) {
        boolean isSpent = poolShares().isSpent(borrower);
        if (isSpent
                && taken.stream()
                        .noneMatch(slot ->
                                leaving.contains(slot) ? isOfSameServer(slot, borrower) : isUnused(slot, borrower))) {
            return RequestResult.NO_PLACE_FOR_SERVER;
        }
        return canBeFreed(borrower) ? RequestResult.WAITS : RequestResult.NO_PLACE;
    }

    private static boolean isOfSameServer(PoolSlot slot, Borrower borrower) {
        return slot.borrower().server().equals(borrower.server());
    }

    /// Whether a connection counts among those of the sessions of this borrower's server, and no session has
    /// used it: the gateway reads the lists of the server over it, or the first call of its session is about to
    /// be sent.
    private static boolean isUnused(PoolSlot slot, Borrower borrower) {
        return isOfSameServer(slot, borrower) && slot.borrower().isOwned() && slot.givesWay();
    }

    private PoolShares poolShares() {
        return new PoolShares(rules.size(), servers, taken);
    }

    private boolean canBeFreed(Borrower borrower) {
        return taken.size() < rules.size() + rules.reserve().size()
                || taken.stream()
                        .anyMatch(slot -> leaving.contains(slot)
                                || slot.givesWay()
                                || slot.borrower().equals(borrower));
    }

    /// Whether another connection can be closed at once, and no other request waits for that.
    private boolean isRoomFor(Borrower borrower, long now) {
        return waitQueue.size() == 0
                && staying().stream().anyMatch(slot -> !slot.borrower().equals(borrower) && isDispensable(slot, now));
    }

    void waitNoMore(PoolWaiter waiter) {
        waitQueue.remove(waiter);
    }

    /// Notes that the connection has ended or is closing; false if that is known.
    boolean leave(PoolSlot slot) {
        return taken.contains(slot) && leaving.add(slot);
    }

    /// Frees the slot: the connection is closed completely.
    void free(PoolSlot slot) {
        leaving.remove(slot);
        abandoned.forget(slot);
        taken.remove(slot);
    }

    // ---- Decisions

    Step next(long now) {
        int before = Math.max(taken.size(), rules.size());
        List<PoolWaiter> woken = granted(now);
        int reserved = Math.max(0, taken.size() - before);
        woken.addAll(dismissed());
        List<PoolSlot> evicted = evicted(now);
        boolean isShort = waitQueue.size() > leaving.size()
                || (waitQueue.size() > 0 && evicted.stream().anyMatch(slot -> ConnectionDemand.isRecent(slot, now)));
        return new Step(woken, evicted, expired(now), abandoned(now), reserved, isShort);
    }

    private List<PoolWaiter> granted(long now) {
        List<PoolWaiter> woken = new ArrayList<>();
        PoolShares poolShares = poolShares();
        PoolWaiter first = taken.size() < limit(now) ? takeNext(poolShares) : null;
        while (first != null) {
            PoolSlot slot = new PoolSlot(first.borrower(), first.priority(), now);
            taken.add(slot);
            poolShares.count(first.borrower());
            first.take(slot);
            woken.add(first);
            first = taken.size() < limit(now) ? takeNext(poolShares) : null;
        }
        return woken;
    }

    /// Session requests that cannot get a place any more, because others got what they waited for.
    private List<PoolWaiter> dismissed() {
        List<PoolWaiter> dismissed = new ArrayList<>();
        for (PoolWaiter waiter : waitQueue.all()) {
            RequestResult prospect = waiter.borrower().isOwned() ? prospect(waiter.borrower()) : RequestResult.WAITS;
            if (prospect != RequestResult.WAITS) {
                waitQueue.remove(waiter);
                waiter.dismiss(prospect);
                dismissed.add(waiter);
            }
        }
        return dismissed;
    }

    /// The next request to serve; servers with half of the places or more come last.
    private @Nullable PoolWaiter takeNext(PoolShares poolShares) {
        PoolWaiter modest = waitQueue.take(waiter -> !poolShares.isSpent(waiter.borrower())
                && !poolShares.hasHalf(waiter.borrower().server()));
        return modest != null ? modest : waitQueue.take(waiter -> !poolShares.isSpent(waiter.borrower()));
    }

    /// The current bound on connections; it includes the reserve once the oldest request has waited too long.
    private int limit(long now) {
        PoolWaiter oldest = waitQueue.oldest();
        boolean isLong = oldest != null
                && now - oldest.since() >= rules.reserve().after().toNanos();
        return rules.size() + (isLong ? rules.reserve().size() : 0);
    }

    /// Connections to close: one for each waiting request, and those above the size when they can be closed.
    private List<PoolSlot> evicted(long now) {
        List<PoolSlot> evicted = new ArrayList<>();
        PoolShares poolShares = poolShares();
        long wanted = Math.max(wanted(poolShares, now), taken.size() - rules.size());
        PoolSlot next = leaving.size() < wanted ? evictOne(poolShares, now) : null;
        while (next != null) {
            evicted.add(next);
            next = leaving.size() < wanted ? evictOne(poolShares, now) : null;
        }
        evicted.addAll(unused(poolShares, now));
        return evicted;
    }

    /// Connections that no session has used, to be closed for sessions whose server has all places that it may
    /// have.
    private List<PoolSlot> unused(PoolShares poolShares, long now) {
        List<PoolSlot> unused = new ArrayList<>();
        for (PoolWaiter waiter : waitQueue.all()) {
            Borrower borrower = waiter.borrower();
            boolean isNext =
                    poolShares.isSpent(borrower) && leaving.stream().noneMatch(slot -> isOfSameServer(slot, borrower));
            PoolSlot slot = isNext ? closeUnused(borrower, now) : null;
            if (slot != null) {
                leaving.add(slot);
                unused.add(slot);
            }
        }
        return unused;
    }

    private @Nullable PoolSlot closeUnused(Borrower borrower, long now) {
        return staying().stream()
                .filter(slot -> isUnused(slot, borrower) && slot.isIdle(now) && slot.tryClose())
                .findFirst()
                .orElse(null);
    }

    /// How many slots must be freed for waiting requests.
    private long wanted(PoolShares poolShares, long now) {
        long served = waitQueue.all().stream()
                .filter(waiter -> !poolShares.isSpent(waiter.borrower()))
                .count();
        return served - awaiting(now);
    }

    /// Calls whose clients have been away for too long, to be cancelled where no idle connection can be closed.
    private List<AbandonedCalls.Call> abandoned(long now) {
        long missing = wanted(poolShares(), now) - leaving.size() - resting(now);
        return missing <= 0 ? List.of() : abandoned.end(missing, staying(), now);
    }

    /// The number of idle connections that can be closed after they have been unused for longer.
    private long resting(long now) {
        return taken.stream()
                .filter(slot -> !leaving.contains(slot) && isDispensable(slot, now))
                .count();
    }

    /// The number of requests that have not waited long and will get a slot that is being freed in any case.
    private int awaiting(long now) {
        long patient = waitQueue.all().stream()
                .filter(waiter -> deadline(waiter, now) > 0)
                .count();
        return (int) Math.min(patient, retired());
    }

    private static long deadline(PoolWaiter waiter, long now) {
        return PATIENT - (now - waiter.since());
    }

    private long retired() {
        return taken.stream()
                .filter(slot -> !leaving.contains(slot) && slot.borrower().isRetired())
                .count();
    }

    private @Nullable PoolSlot evictOne(PoolShares poolShares, long now) {
        for (PoolSlot slot : staying()) {
            boolean mayRest = slot.restsFor(now) > 0
                    && !isImpatient(now)
                    && !poolShares.hasMoreThanHalf(slot.borrower().server());
            boolean isForced = waitQueue.isWaiting(slot.borrower()) || waitQueue.size() == 0;
            if ((isForced || !mayRest) && isDispensable(slot, now) && slot.tryClose()) {
                leaving.add(slot);
                return slot;
            }
        }
        return null;
    }

    private boolean isImpatient(long now) {
        return impatientIn(now) <= 0;
    }

    /// How long the oldest request still waits before recently used connections are closed for it.
    private long impatientIn(long now) {
        PoolWaiter oldest = waitQueue.oldest();
        long deadline = Math.min(IMPATIENT, rules.waiting().limit().toNanos() / 2);
        return oldest == null ? Long.MAX_VALUE : deadline - (now - oldest.since());
    }

    /// A server that needs another connection itself, to detect its era, releases the one it has.
    private boolean isDispensable(PoolSlot slot, long now) {
        boolean isForOthers = slot.givesWay() && slot.isIdle(now);
        boolean isForItself = !slot.isProtected() && slot.isFree() && waitQueue.isWaiting(slot.borrower());
        return isForOthers || isForItself;
    }

    private List<PoolSlot> expired(long now) {
        List<PoolSlot> expired = new ArrayList<>();
        for (PoolSlot slot : spare()) {
            if (isOverdue(slot, now) && slot.isIdle(now) && slot.tryClose()) {
                leaving.add(slot);
                expired.add(slot);
            }
        }
        return expired;
    }

    /// Slots that may be closed when idle: not the most recently used ones, unless they are ephemeral.
    private List<PoolSlot> spare() {
        List<PoolSlot> staying = staying();
        int others = staying.size() - rules.idleRules().least();
        List<PoolSlot> spare = new ArrayList<>();
        for (int i = 0; i < staying.size(); i++) {
            PoolSlot slot = staying.get(i);
            if (i < others || slot.borrower().idlePolicy().isBrief()) {
                spare.add(slot);
            }
        }
        return spare;
    }

    /// Least recently used first. Calls change the time of the last use without a lock, so it is read once for each
    /// slot: a comparison of times that change is inconsistent, and a sort may fail on it.
    private List<PoolSlot> staying() {
        return taken.stream()
                .filter(slot -> !leaving.contains(slot))
                .map(slot -> new Use(slot, slot.usedAt()))
                .sorted()
                .map(Use::slot)
                .toList();
    }

    private record Use(PoolSlot slot, long at) implements Comparable<Use> {
        /// Safe for a clock that wraps around.
        @Override
        public int compareTo(Use other) {
            return Long.signum(at - other.at);
        }
    }

    private boolean isOverdue(PoolSlot slot, long now) {
        Duration limit = slot.limit(rules.idleRules().idle());
        return limit != null && now - slot.usedAt() >= limit.toNanos();
    }

    // ---- Timers

    /// How long until time alone changes a decision; null if it does not.
    @Nullable
    Duration due(long now) {
        long due = LongStream.of(reserveDue(now), freshDue(now), retiredDue(now), awayDue(now), idleDue(now))
                .min()
                .orElse(Long.MAX_VALUE);
        return due == Long.MAX_VALUE ? null : Duration.ofNanos(due);
    }

    private long reserveDue(long now) {
        PoolWaiter oldest = waitQueue.oldest();
        if (oldest == null || taken.size() >= rules.size() + rules.reserve().size()) {
            return Long.MAX_VALUE;
        }
        long left = rules.reserve().after().toNanos() - (now - oldest.since());
        // A request that has no reserve slot by then may get none.
        return left > 0 ? left : Long.MAX_VALUE;
    }

    /// When requests have waited long enough for the slot of a removed server.
    private long retiredDue(long now) {
        return retired() == 0
                ? Long.MAX_VALUE
                : waitQueue.all().stream()
                        .mapToLong(waiter -> deadline(waiter, now))
                        .filter(left -> left > 0)
                        .min()
                        .orElse(Long.MAX_VALUE);
    }

    /// When a new or recently used connection may be closed for a waiting request.
    private long freshDue(long now) {
        if (!isPressed()) {
            return Long.MAX_VALUE;
        }
        LongStream left = taken.stream()
                .filter(PoolSlot::isFree)
                .mapToLong(slot -> Math.max(slot.freshFor(now), slot.restsFor(now)));
        return LongStream.concat(left, LongStream.of(impatientIn(now)))
                .filter(nanos -> nanos > 0)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private long awayDue(long now) {
        return waitQueue.size() == 0 ? Long.MAX_VALUE : abandoned.due(staying(), now);
    }

    /// A wanted connection whose idle limit is over is checked again soon.
    private long idleDue(long now) {
        long due = Long.MAX_VALUE;
        for (PoolSlot slot : spare()) {
            Duration limit = slot.limit(rules.idleRules().idle());
            if (limit != null) {
                due = Math.min(due, Math.max(limit.toNanos() - (now - slot.usedAt()), LEAST_LOOK));
            }
        }
        return due;
    }

    // ---- Status

    int leaving() {
        return leaving.size();
    }

    int waiting() {
        return waitQueue.size();
    }

    /// Whether a connection that becomes idle is needed by a request.
    boolean isPressed() {
        return waitQueue.size() > 0 || taken.size() > rules.size();
    }

    /// The most places for the sessions of one server where several servers share the pool.
    int maxOfOneServer() {
        return poolShares().most();
    }

    /// The number of connections needed within the last minute.
    int needed(long now) {
        return connectionDemand.needed(taken, now);
    }

    List<PoolSlot> taken() {
        return List.copyOf(taken);
    }

    /// Removes all waiting requests, or those of one borrower.
    List<PoolWaiter> dismiss(@Nullable Borrower borrower) {
        List<PoolWaiter> sent = waitQueue.all().stream()
                .filter(waiter -> borrower == null || waiter.borrower().root().equals(borrower))
                .toList();
        sent.forEach(waiter -> {
            waitQueue.remove(waiter);
            waiter.dismiss(RequestResult.QUEUE_FULL);
        });
        return sent;
    }
}
