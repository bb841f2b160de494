package dev.fusebox.breaker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a breaker has to do, written as plainly as possible: every call is remembered, and every question is answered by
 * looking through them. Slow. Used by one thread.
 */
final class ReferenceBreaker {
    private static final long SECOND = 1_000_000_000;

    final List<BreakerEvent> events = new ArrayList<>();

    private final BreakerName name;
    private final BreakerPolicy policy;
    private final ManualTime time;
    private final boolean tellsCalls;

    private ReferenceStay stay;
    private Counts atTrip = Counts.NONE;
    private @Nullable Failure lastFailure;
    private int tripsInARow;
    private long trips;
    private long refusals;
    private long abandoned;
    private long late;

    ReferenceBreaker(Script script, ManualTime time) {
        this.name = Script.NAME;
        this.policy = script.policy();
        this.tellsCalls = script.tellsCalls();
        this.time = time;
        this.stay = ReferenceStay.first(time);
    }

    // ---- Admission ------------------------------------------------------------------------------------------------

    ReferenceAnswer acquire(long lease) {
        ReferenceAnswer answer = answer(lease);
        if (answer instanceof ReferenceAnswer.Refused refused) {
            refusals++;
            events.add(new BreakerEvent.CallRejected(name, stay.transition, refused.state(), refused.retryAfterMs()));
        } else if (stay.state == State.HALF_OPEN) {
            events.add(new BreakerEvent.HalfOpenTest(
                    name, stay.transition, stay.calls.size(), policy.halfOpen().maxCalls()));
        }
        return answer;
    }

    private ReferenceAnswer answer(long lease) {
        return switch (stay.state) {
            case CLOSED, DISABLED -> admit(lease, 0);
            case FORCED_OPEN -> refuse(null);
            case OPEN -> cooldownLeft() > 0 ? refuse(cooldownLeft()) : firstTest(lease);
            case HALF_OPEN -> test(lease);
        };
    }

    private ReferenceCall admit(long lease, int place) {
        ReferenceCall call = new ReferenceCall(stay, now(), lease, place);
        call.alone = stay.holders().isEmpty();
        stay.calls.add(call);
        return call;
    }

    private ReferenceAnswer firstTest(long lease) {
        Reason reason = new Reason.CooldownOver(Duration.ofNanos(stay.cooldown));
        move(stay.next(State.HALF_OPEN, time), reason, atTrip);
        return admit(lease, 0);
    }

    private ReferenceAnswer test(long lease) {
        List<ReferenceCall> holders = stay.holders();
        for (int place = 0; holders.size() < allowed(); place++) {
            int wanted = place;
            if (holders.stream().noneMatch(call -> call.place == wanted)) {
                return admit(lease, place);
            }
        }
        ReferenceCall first = holders.stream()
                .min(Comparator.comparingLong(this::leaseLeft).thenComparingInt(call -> call.place))
                .orElseThrow();
        if (leaseLeft(first) > 0) {
            // Told in steps of a millisecond since the state began.
            return refuse(SECOND - (now() - stay.since) % 1_000_000);
        }
        ReferenceCall next = admit(lease, first.place);
        first.lostItsPlace = true;
        return next;
    }

    /** One more for each second in which no probe was answered. */
    private long allowed() {
        long seconds = (now() - stay.unansweredSince()) / SECOND;
        return policy.halfOpen().maxCalls()
                + Math.min(seconds, policy.halfOpen().extraCalls());
    }

    private long leaseLeft(ReferenceCall call) {
        return call.leaseEnd() - now();
    }

    private long cooldownLeft() {
        return stay.since + stay.cooldown - now();
    }

    private ReferenceAnswer.Refused refuse(@Nullable Long nanosLeft) {
        return new ReferenceAnswer.Refused(
                stay.state,
                nanosLeft == null ? null : Math.max(1, millisRoundedUp(nanosLeft)),
                nanosLeft == null ? null : time.instant().plusNanos(nanosLeft),
                stay.state == State.FORCED_OPEN ? 0 : atTrip.failureCount(),
                lastFailure == null ? null : lastFailure.category(),
                stay.state == State.FORCED_OPEN ? stay.operatorReason : null);
    }

    private static long millisRoundedUp(long nanos) {
        return nanos / 1_000_000 + (nanos % 1_000_000 > 0 ? 1 : 0);
    }

    // ---- Settling -------------------------------------------------------------------------------------------------

    boolean settle(ReferenceCall call, Verdict verdict) {
        if (call.ended) {
            return false;
        }
        boolean stale = !call.stay.equals(stay) || call.lostItsPlace;
        call.ended = true;
        call.endedAt = now();
        call.kind = verdict.kind();
        call.category = verdict.category();
        call.slow = isSlow(call);
        if (stale) {
            late++;
        } else {
            count(call, verdict);
        }
        tellOfCall(call, verdict);
        return true;
    }

    private boolean isSlow(ReferenceCall call) {
        TripRule.SlidingWindow window = ReferenceStay.window(policy.tripRule());
        return window != null
                && window.slowCalls() != null
                && call.took(now()) > window.slowCalls().longerThan().toNanos();
    }

    private void count(ReferenceCall call, Verdict verdict) {
        switch (verdict.kind()) {
            case NEITHER -> abandoned++;
            case SUCCESS -> {
                stay.note(call);
                succeeded(call);
            }
            case FAILURE -> {
                Failure failure = new Failure(verdict.category(), time.instant(), null);
                lastFailure = failure;
                stay.note(call);
                failed(failure);
            }
        }
    }

    private void succeeded(ReferenceCall call) {
        if (stay.state == State.CLOSED && call.slow) {
            tripIfDue();
        }
        if (stay.state == State.HALF_OPEN
                && stay.successes() >= policy.halfOpen().successesToClose()) {
            Reason reason = new Reason.TestPassed(policy.halfOpen().successesToClose());
            move(stay.next(State.CLOSED, time), reason, atTrip);
        }
    }

    private void failed(Failure failure) {
        if (stay.state == State.CLOSED) {
            tripIfDue();
        } else if (stay.state == State.HALF_OPEN) {
            tripsInARow++;
            open(new Reason.TestFailed(failure));
        }
    }

    private void tellOfCall(ReferenceCall call, Verdict verdict) {
        Duration took = Duration.ofNanos(call.took(now()));
        if (tellsCalls && verdict.kind() == Verdict.Kind.SUCCESS) {
            events.add(new BreakerEvent.CallSucceeded(name, call.stay.transition, took));
        } else if (tellsCalls && verdict.kind() == Verdict.Kind.FAILURE) {
            events.add(new BreakerEvent.CallFailed(name, call.stay.transition, took, verdict.category()));
        }
    }

    // ---- Tripping -------------------------------------------------------------------------------------------------

    private void tripIfDue() {
        Reason reason = reasonToTrip(counted());
        if (reason != null) {
            atTrip = stay.countsAtTrip(policy.tripRule(), counted(), now());
            boolean calm = now() - stay.since >= policy.cooldown().max().toNanos();
            tripsInARow = calm ? 1 : tripsInARow + 1;
            open(reason);
        }
    }

    private @Nullable Reason reasonToTrip(Counts counts) {
        if (policy.tripRule() instanceof TripRule.Consecutive rule) {
            return counts.failureCount() >= rule.failureThreshold()
                    ? new Reason.ThresholdReached(counts.failureCount())
                    : null;
        }
        if (policy.tripRule() instanceof TripRule.WindowOrStreak rule && stay.streak(rule, now()) > 0) {
            return new Reason.ThresholdReached(stay.streak(rule, now()));
        }
        TripRule.SlidingWindow rule = Objects.requireNonNull(ReferenceStay.window(policy.tripRule()));
        if (counts.totalCalls() < rule.minimumCalls()) {
            return null;
        }
        if (rule.failureThreshold() != null && counts.failures() >= rule.failureThreshold()) {
            return new Reason.ThresholdReached(counts.failures());
        }
        if (rule.failureRate() != null && share(counts.failures(), counts) >= rule.failureRate()) {
            return new Reason.FailureRateReached(share(counts.failures(), counts), counts.totalCalls());
        }
        return rule.slowCalls() != null
                        && share(counts.slowCalls(), counts) >= rule.slowCalls().rate()
                ? new Reason.SlowCallRateReached(share(counts.slowCalls(), counts), counts.totalCalls())
                : null;
    }

    private static double share(long part, Counts counts) {
        return (double) part / counts.totalCalls();
    }

    private void open(Reason reason) {
        trips++;
        ReferenceStay open = stay.next(State.OPEN, time);
        open.cooldown = cooldown();
        move(open, reason, atTrip);
    }

    private long cooldown() {
        Cooldown rule = policy.cooldown();
        double grown = rule.base().toNanos();
        for (int trip = 1; trip < tripsInARow; trip++) {
            grown *= rule.growth();
        }
        double capped = Math.min(grown, (double) rule.max().toNanos());
        double jitter = tripsInARow == 1 ? 0 : rule.jitter() * time.chance();
        return (long) (capped * (1 + jitter));
    }

    // ---- Operating ------------------------------------------------------------------------------------------------

    void forceOpen(String text) {
        operate(State.FORCED_OPEN, new Reason.Forced(text));
        stay.operatorReason = text;
    }

    void disable() {
        operate(State.DISABLED, new Reason.Disabled());
    }

    void reset() {
        operate(State.CLOSED, new Reason.Reset());
    }

    private void operate(State state, Reason reason) {
        Counts before = counted();
        tripsInARow = 0;
        atTrip = Counts.NONE;
        move(stay.next(state, time), reason, before);
    }

    private void move(ReferenceStay next, Reason reason, Counts counts) {
        State before = stay.state;
        stay = next;
        if (before != next.state) {
            events.add(new BreakerEvent.StateChange(
                    name,
                    next.transition,
                    before,
                    next.state,
                    reason,
                    time.instant(),
                    counts.failureCount(),
                    counts.totalCalls() == 0 ? 0 : share(counts.failures(), counts),
                    counts.totalCalls(),
                    retryAt()));
        }
    }

    // ---- Reading --------------------------------------------------------------------------------------------------

    State state() {
        return stay.state;
    }

    private long now() {
        return time.nanos();
    }

    private Counts counted() {
        return stay.counts() ? stay.counts(policy.tripRule(), now()) : atTrip;
    }

    private @Nullable Instant retryAt() {
        return stay.state == State.OPEN ? time.instant().plusNanos(cooldownLeft()) : null;
    }

    BreakerSnapshot snapshot() {
        return new BreakerSnapshot(
                name,
                stay.state,
                stay.transition,
                stay.wall,
                retryAt(),
                stay.state == State.OPEN ? Duration.ofNanos(stay.cooldown) : null,
                stay.state == State.OPEN && cooldownLeft() <= 0,
                stay.state == State.HALF_OPEN ? stay.holders().size() : 0,
                stay.state == State.FORCED_OPEN ? stay.operatorReason : null,
                counted(),
                lastFailure,
                new BreakerSnapshot.Totals(trips, tripsInARow, refusals, abandoned, late, 0, 0));
    }

    /** How far away the moments are at which something changes by itself. */
    List<Long> edges() {
        List<Long> edges = new ArrayList<>();
        edges.add(cooldownLeft());
        edges.add(stay.since + policy.cooldown().max().toNanos() - now());
        for (int extra = 1; extra <= policy.halfOpen().extraCalls() && stay.state == State.HALF_OPEN; extra++) {
            edges.add(stay.unansweredSince() + extra * SECOND - now());
        }
        stay.holders().forEach(call -> {
            edges.add(leaseLeft(call));
            edges.add(call.pauseEnd() - now());
        });
        TripRule.SlidingWindow window = ReferenceStay.window(policy.tripRule());
        if (window != null) {
            long bucket = window.length().toNanos() / 10;
            long untilNext = bucket - (now() - stay.countedFrom) % bucket;
            edges.add(untilNext);
            edges.add(untilNext + 8 * bucket);
            edges.add(untilNext + 9 * bucket);
            TripRule.SlowCalls slow = window.slowCalls();
            if (slow != null) {
                stay.holders().forEach(call -> edges.add(slow.longerThan().toNanos() - call.took(now())));
            }
        }
        return edges.stream().filter(left -> left > 0).toList();
    }
}
