package dev.fusebox.breaker;

import org.jspecify.annotations.Nullable;

/** Lets every call in and counts how they end, until the counts trip it. */
final class ClosedPhase extends Phase {
    private final Meter meter;

    ClosedPhase(CircuitBreaker breaker, Since since, History history) {
        super(breaker, since, history);
        this.meter =
                Meter.of(breaker.policy().tripRule(), breaker.surroundings().ticker());
    }

    @Override
    State state() {
        return State.CLOSED;
    }

    @Override
    boolean isFree() {
        return true;
    }

    @Override
    Admission admit(long leaseNanos) {
        return new Permit(this, breaker.ledger().startOfCall());
    }

    @Override
    boolean ended(@Nullable Permit permit, Verdict verdict, long nanos) {
        Reason reason = breaker.ledger().count(verdict, nanos, meter);
        if (reason != null) {
            trip(reason);
        }
        return true;
    }

    private void trip(Reason reason) {
        OpenPhase next = open(historyNow().tripped(meter.counts()));
        if (breaker.replace(this, next)) {
            breaker.ledger().tellOfChange(this, next, reason);
        }
    }

    /** Trips long ago no longer lengthen the cooldown. */
    private History historyNow() {
        long closedFor = now() - since().nanos();
        boolean calm = closedFor >= breaker.policy().cooldown().max().toNanos();
        return calm ? history().calm() : history();
    }

    @Override
    Counts counts() {
        return meter.counts();
    }
}
