package dev.fusebox.breaker;

/** The closed state: admits every call and counts the outcomes until they trip the breaker. */
final class ClosedPhase extends FreePhase {
    ClosedPhase(CircuitBreaker breaker, Since since, History history) {
        super(breaker, since, history);
    }

    @Override
    State state() {
        return State.CLOSED;
    }

    @Override
    void reached(Trip trip) {
        OpenPhase next = open(historyNow().tripped(trip.counts()));
        if (breaker.replace(this, next)) {
            breaker.ledger().publishTransition(this, next, trip.reason());
        }
    }

    /** Trips long ago no longer lengthen the cooldown. */
    private History historyNow() {
        long closedFor = now() - since().nanos();
        boolean calm = closedFor >= breaker.policy().cooldown().max().toNanos();
        return calm ? history().calm() : history();
    }
}
