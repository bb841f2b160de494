package dev.fusebox.breaker;

import org.jspecify.annotations.Nullable;

/**
 * The half-open state: admits a few probes and rejects all other calls. A probe holds a slot until it ends, or until
 * its lease has expired and another call needs the slot. Each second without an answer adds one slot, up to a limit.
 *
 * <p>The slots are guarded by this object's monitor. Under it nothing blocks and no listener runs; events are published
 * after it is released. A rejection while all slots are taken does not enter it.
 */
final class HalfOpenPhase extends Phase {
    private static final int NO_PLACE = 0;
    private static final long EXTRA_CALL_EVERY = HalfOpen.EXTRA_CALL_EVERY.toNanos();

    /** Within this time a probe is answered or one more is admitted. */
    private static final long RETRY_AFTER = 1_000_000_000;

    private static final long MILLISECOND = 1_000_000;

    private final HalfOpen rules;
    private final ProbeSlot[] probeSlots;
    private int probes;
    private int successes;
    /** When the last probe was answered, or the first one was admitted. */
    private long unansweredSince;

    private volatile boolean full;
    private volatile long fullUntil;

    HalfOpenPhase(CircuitBreaker breaker, Since since, History history) {
        super(breaker, since, history);
        this.rules = breaker.policy().halfOpen();
        this.probeSlots = new ProbeSlot[rules.maxCalls() + rules.extraCalls()];
        for (int i = 0; i < probeSlots.length; i++) {
            probeSlots[i] = new ProbeSlot();
        }
    }

    /** The slot of one probe. */
    private static final class ProbeSlot {
        private @Nullable Permit holder;
        private long leaseEnd;
        /** The rest of the lease when its clock was stopped. */
        private long leaseLeft;

        private boolean paused;

        boolean isFree(long now) {
            return holder == null || now - leaseEnd >= 0;
        }
    }

    @Override
    State state() {
        return State.HALF_OPEN;
    }

    /** The probe with which this phase begins; no other thread knows the phase yet. */
    Permit firstProbe(long now, long leaseNanos) {
        Permit permit = new Permit(this, breaker.ledger().startOfCall());
        takePlace(permit, now, leaseNanos);
        return permit;
    }

    @Override
    @Nullable
    Admission admit(long leaseNanos) {
        long now = now();
        if (full && now - fullUntil < 0) {
            return refuse(now, retryAt(now));
        }
        Permit permit = new Permit(this, breaker.ledger().startOfCall());
        int probe;
        synchronized (this) {
            if (isOver()) {
                return null;
            }
            probe = takePlace(permit, now, leaseNanos);
        }
        if (probe == NO_PLACE) {
            return refuse(now, retryAt(now));
        }
        breaker.ledger().publishProbe(this, probe);
        return permit;
    }

    @Override
    @Nullable
    Rejection peek() {
        long now = now();
        return full && now - fullUntil < 0 ? refuse(now, retryAt(now)) : null;
    }

    /** In steps of a millisecond, so that rejections of the same millisecond share one object. */
    private long retryAt(long now) {
        long began = since().nanos();
        return now - (now - began) % MILLISECOND + RETRY_AFTER;
    }

    /** The number of the probe that the permit is, or {@link #NO_PLACE}. */
    private synchronized int takePlace(Permit permit, long now, long leaseNanos) {
        if (held() == 0) {
            unansweredSince = now;
        }
        ProbeSlot probeSlot = probeSlotToTake(now);
        if (probeSlot != null) {
            probeSlot.holder = permit;
            probeSlot.leaseEnd = now + leaseNanos;
            probeSlot.paused = false;
            probes++;
        }
        noteWhetherFull(now);
        return probeSlot == null ? NO_PLACE : probes;
    }

    /** A free slot, otherwise the one whose lease expired first: no probe loses its slot unnecessarily. */
    private @Nullable ProbeSlot probeSlotToTake(long now) {
        ProbeSlot overdue = null;
        boolean hasRoom = held() < capacity(now);
        for (ProbeSlot probeSlot : probeSlots) {
            if (probeSlot.holder == null && hasRoom) {
                return probeSlot;
            }
            boolean isOverdue = probeSlot.holder != null && probeSlot.isFree(now);
            if (isOverdue && (overdue == null || probeSlot.leaseEnd - overdue.leaseEnd < 0)) {
                overdue = probeSlot;
            }
        }
        return overdue;
    }

    /** How many probes may be in flight now. */
    private int capacity(long now) {
        return rules.maxCalls() + (int) Math.min(rules.extraCalls(), (now - unansweredSince) / EXTRA_CALL_EVERY);
    }

    private int held() {
        int held = 0;
        for (ProbeSlot probeSlot : probeSlots) {
            held += probeSlot.holder == null ? 0 : 1;
        }
        return held;
    }

    @Override
    boolean ended(@Nullable Permit permit, Verdict verdict, long nanos) {
        return switch (verdict.kind()) {
            case SUCCESS -> passed(permit);
            case FAILURE -> failed(permit, verdict);
            case NEITHER -> abandoned(permit);
        };
    }

    private boolean passed(@Nullable Permit permit) {
        ClosedPhase next = new ClosedPhase(breaker, breaker.sinceFor(this, State.CLOSED), history());
        boolean closes;
        synchronized (this) {
            if (!leave(permit)) {
                return false;
            }
            successes++;
            unansweredSince = now();
            closes = successes >= rules.successesToClose() && breaker.replace(this, next);
        }
        if (closes) {
            breaker.ledger().publishTransition(this, next, new Reason.TestPassed(rules.successesToClose()));
        }
        return true;
    }

    private boolean failed(@Nullable Permit permit, Verdict verdict) {
        OpenPhase next = open(history().trippedAgain());
        Failure failure = breaker.ledger().failure(verdict);
        synchronized (this) {
            if (!leave(permit)) {
                return false;
            }
            breaker.ledger().failed(failure);
            if (!breaker.replace(this, next)) {
                return true;
            }
        }
        breaker.ledger().publishTransition(this, next, new Reason.TestFailed(failure));
        return true;
    }

    private boolean abandoned(@Nullable Permit permit) {
        boolean left;
        synchronized (this) {
            left = leave(permit);
        }
        if (left) {
            breaker.ledger().abandoned();
        }
        return left;
    }

    /** Frees the permit's slot; false if it no longer has one, because its lease expired. */
    private boolean leave(@Nullable Permit permit) {
        ProbeSlot probeSlot = probeSlotOf(permit);
        if (probeSlot == null || isOver()) {
            return false;
        }
        probeSlot.holder = null;
        full = false;
        return true;
    }

    @Override
    synchronized void pause(Permit permit, long now, long atMostNanos) {
        ProbeSlot probeSlot = probeSlotOf(permit);
        // An expired lease stays expired: a call that needs the slot does not wait for the pause.
        if (probeSlot != null && !probeSlot.isFree(now)) {
            probeSlot.leaseLeft = probeSlot.leaseEnd - now;
            probeSlot.leaseEnd = now + atMostNanos + probeSlot.leaseLeft;
            probeSlot.paused = true;
            noteWhetherFull(now);
        }
    }

    @Override
    synchronized void resume(Permit permit, long now) {
        ProbeSlot probeSlot = probeSlotOf(permit);
        if (probeSlot != null && probeSlot.paused) {
            probeSlot.paused = false;
            // A pause beyond its limit has used up lease time since then: resuming must not restore it.
            long end = now + probeSlot.leaseLeft;
            probeSlot.leaseEnd = end - probeSlot.leaseEnd < 0 ? end : probeSlot.leaseEnd;
            noteWhetherFull(now);
        }
    }

    private @Nullable ProbeSlot probeSlotOf(@Nullable Permit permit) {
        for (ProbeSlot probeSlot : probeSlots) {
            if (permit != null && probeSlot.holder == permit) {
                return probeSlot;
            }
        }
        return null;
    }

    private void noteWhetherFull(long now) {
        int capacity = capacity(now);
        long shortest = capacity < probeSlots.length ? untilExtraCall(now) : Long.MAX_VALUE;
        boolean isOverdue = false;
        for (ProbeSlot probeSlot : probeSlots) {
            if (probeSlot.holder != null) {
                isOverdue |= probeSlot.isFree(now);
                shortest = Math.min(shortest, probeSlot.leaseEnd - now);
            }
        }
        full = held() >= capacity && !isOverdue;
        fullUntil = now + shortest;
    }

    private long untilExtraCall(long now) {
        return EXTRA_CALL_EVERY - (now - unansweredSince) % EXTRA_CALL_EVERY;
    }

    synchronized int testsUnderWay() {
        return held();
    }
}
