package dev.fusebox.breaker;

import org.jspecify.annotations.Nullable;

/** A phase that admits every call and counts the outcomes. */
abstract class FreePhase extends Phase {
    private final Meter meter;

    FreePhase(CircuitBreaker breaker, Since since, History history) {
        super(breaker, since, history);
        this.meter =
                Meter.of(breaker.policy().tripRule(), breaker.surroundings().ticker());
    }

    @Override
    final boolean isFree() {
        return true;
    }

    @Override
    final Admission admit(long leaseNanos) {
        return new Permit(this, breaker.ledger().startOfCall());
    }

    @Override
    final boolean ended(@Nullable Permit permit, Verdict verdict, long nanos) {
        Trip trip = breaker.ledger().count(verdict, nanos, meter);
        if (trip != null) {
            reached(trip);
        }
        return true;
    }

    /** The counts say that the breaker should open. */
    abstract void reached(Trip trip);

    @Override
    final Counts counts() {
        return meter.counts();
    }
}
