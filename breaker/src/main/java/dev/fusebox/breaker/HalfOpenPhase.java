package dev.fusebox.breaker;

import org.jspecify.annotations.Nullable;

/**
 * Lets a few test calls in and refuses the rest. A test holds a place until it ends, or until its lease is over and
 * another call wants the place.
 *
 * <p>The places are guarded by this object's monitor. Under it nothing blocks and nobody else's code runs; events are
 * told after it is left. A refusal while all places are taken does not enter it.
 */
final class HalfOpenPhase extends Phase {
    private final HalfOpen rules;
    private final Place[] places;
    private int tests;
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

    /** The place of one test call. */
    private static final class Place {
        private @Nullable Permit holder;
        private long leaseEnd;
        /** What the lease had left when its clock was stopped. */
        private long leaseLeft;

        boolean isFree(long now) {
            return holder == null || now - leaseEnd >= 0;
        }
    }

    @Override
    State state() {
        return State.HALF_OPEN;
    }

    /** The test with which this phase begins; nobody else knows the phase yet. */
    Permit firstTest(long now, long leaseNanos) {
        Permit permit = takePlace(now, leaseNanos);
        if (permit == null) {
            throw new IllegalStateException("a new phase has all its places free");
        }
        return permit;
    }

    @Override
    @Nullable
    Admission admit(long leaseNanos) {
        long now = now();
        if (full && now - fullUntil < 0) {
            return refuse(fullUntil - now);
        }
        Permit permit;
        int test;
        synchronized (this) {
            if (isOver()) {
                return null;
            }
            permit = takePlace(now, leaseNanos);
            test = tests;
        }
        if (permit == null) {
            return refuse(fullUntil - now);
        }
        breaker.ledger().tellOfTest(test);
        return permit;
    }

    private synchronized @Nullable Permit takePlace(long now, long leaseNanos) {
        Permit permit = null;
        for (Place place : places) {
            if (place.isFree(now)) {
                permit = new Permit(this, breaker.ledger().startOfCall());
                place.holder = permit;
                place.leaseEnd = now + leaseNanos;
                tests++;
                break;
            }
        }
        noteWhetherFull(now);
        return permit;
    }

    @Override
    void success(@Nullable Permit permit, long nanos) {
        ClosedPhase next;
        synchronized (this) {
            if (!leave(permit) || ++successes < rules.successesToClose()) {
                return;
            }
            next = new ClosedPhase(breaker, breaker.sinceFor(this, State.CLOSED), history());
            if (!breaker.replace(this, next)) {
                return;
            }
        }
        breaker.ledger().tellOfChange(this, next, new Reason.TestPassed(rules.successesToClose()));
    }

    @Override
    void failure(@Nullable Permit permit, long nanos, Failure failure) {
        OpenPhase next;
        synchronized (this) {
            if (!leave(permit)) {
                return;
            }
            next = open(history().trippedAgain());
            if (!breaker.replace(this, next)) {
                return;
            }
        }
        breaker.ledger().tellOfChange(this, next, new Reason.TestFailed(failure));
    }

    @Override
    synchronized void neither(@Nullable Permit permit) {
        leave(permit);
    }

    /** Frees the permit's place; false if it has none any more, because its lease ran out. */
    private boolean leave(@Nullable Permit permit) {
        Place place = placeOf(permit);
        if (place == null || isOver()) {
            breaker.ledger().late();
            return false;
        }
        place.holder = null;
        full = false;
        return true;
    }

    @Override
    synchronized void pause(Permit permit, long now, long atMostNanos) {
        Place place = placeOf(permit);
        if (place != null) {
            place.leaseLeft = Math.max(0, place.leaseEnd - now);
            place.leaseEnd = now + atMostNanos + place.leaseLeft;
            noteWhetherFull(now);
        }
    }

    @Override
    synchronized void resume(Permit permit, long now) {
        Place place = placeOf(permit);
        if (place != null) {
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
