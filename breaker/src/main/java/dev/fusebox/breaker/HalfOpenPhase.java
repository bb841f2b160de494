package dev.fusebox.breaker;

import org.jspecify.annotations.Nullable;

/**
 * Lets a few probes in and refuses the rest. A probe holds a place until it ends, or until its lease is over and
 * another call wants the place.
 *
 * <p>The places are guarded by this object's monitor. Under it nothing blocks and no listener runs; events are
 * told after it is left. A refusal while all places are taken does not enter it.
 */
final class HalfOpenPhase extends Phase {
    private static final int NO_PLACE = 0;

    private final HalfOpen rules;
    private final Place[] places;
    private int probes;
    private int successes;
    private volatile boolean full;
    private volatile long fullUntil;

    HalfOpenPhase(CircuitBreaker breaker, Since since, History history) {
        super(breaker, since, history);
        this.rules = breaker.policy().halfOpen();
        this.places = new Place[rules.maxCalls()];
        for (int i = 0; i < places.length; i++) {
            places[i] = new Place();
        }
    }

    /** The place of one probe. */
    private static final class Place {
        private @Nullable Permit holder;
        private long leaseEnd;
        /** What the lease had left when its clock was stopped. */
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

    /** The probe with which this phase begins; nobody else knows the phase yet. */
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
            return refuse(now, fullUntil);
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
            return refuse(now, fullUntil);
        }
        breaker.ledger().tellOfProbe(this, probe);
        return permit;
    }

    @Override
    @Nullable
    Rejection peek() {
        long now = now();
        return full && now - fullUntil < 0 ? refuse(now, fullUntil) : null;
    }

    /** The number of the probe that the permit is, or {@link #NO_PLACE}. */
    private synchronized int takePlace(Permit permit, long now, long leaseNanos) {
        Place place = placeToTake(now);
        if (place != null) {
            place.holder = permit;
            place.leaseEnd = now + leaseNanos;
            place.paused = false;
            probes++;
        }
        noteWhetherFull(now);
        return place == null ? NO_PLACE : probes;
    }

    /** One that nobody holds, else the one whose lease ran out first: no probe loses its place without need. */
    private @Nullable Place placeToTake(long now) {
        Place overdue = null;
        for (Place place : places) {
            if (place.holder == null) {
                return place;
            }
            if (place.isFree(now) && (overdue == null || place.leaseEnd - overdue.leaseEnd < 0)) {
                overdue = place;
            }
        }
        return overdue;
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
            closes = successes >= rules.successesToClose() && breaker.replace(this, next);
        }
        if (closes) {
            breaker.ledger().tellOfChange(this, next, new Reason.TestPassed(rules.successesToClose()));
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
        breaker.ledger().tellOfChange(this, next, new Reason.TestFailed(failure));
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

    /** Frees the permit's place; false if it has none any more, because its lease ran out. */
    private boolean leave(@Nullable Permit permit) {
        Place place = placeOf(permit);
        if (place == null || isOver()) {
            return false;
        }
        place.holder = null;
        full = false;
        return true;
    }

    @Override
    synchronized void pause(Permit permit, long now, long atMostNanos) {
        Place place = placeOf(permit);
        // A lease that has run out stays so: whoever wants the place need not wait for the pause.
        if (place != null && !place.isFree(now)) {
            place.leaseLeft = place.leaseEnd - now;
            place.leaseEnd = now + atMostNanos + place.leaseLeft;
            place.paused = true;
            noteWhetherFull(now);
        }
    }

    @Override
    synchronized void resume(Permit permit, long now) {
        Place place = placeOf(permit);
        if (place != null && place.paused) {
            place.paused = false;
            // A pause that outlived its limit has used up lease since then: resuming must not give that back.
            long end = now + place.leaseLeft;
            place.leaseEnd = end - place.leaseEnd < 0 ? end : place.leaseEnd;
            noteWhetherFull(now);
        }
    }

    private @Nullable Place placeOf(@Nullable Permit permit) {
        for (Place place : places) {
            if (permit != null && place.holder == permit) {
                return place;
            }
        }
        return null;
    }

    private void noteWhetherFull(long now) {
        long shortest = Long.MAX_VALUE;
        for (Place place : places) {
            if (place.isFree(now)) {
                full = false;
                return;
            }
            shortest = Math.min(shortest, place.leaseEnd - now);
        }
        fullUntil = now + shortest;
        full = true;
    }

    synchronized int testsUnderWay() {
        int underWay = 0;
        for (Place place : places) {
            underWay += place.holder == null ? 0 : 1;
        }
        return underWay;
    }
}
