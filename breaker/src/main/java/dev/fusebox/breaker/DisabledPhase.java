package dev.fusebox.breaker;

import org.jspecify.annotations.Nullable;

/** Lets every call in and counts how they end; nothing trips it. */
final class DisabledPhase extends Phase {
    private final Meter meter;

    DisabledPhase(CircuitBreaker breaker, Since since, History history) {
        super(breaker, since, history.cleared());
        this.meter =
                Meter.of(breaker.policy().tripRule(), breaker.surroundings().ticker());
    }

    @Override
    State state() {
        return State.DISABLED;
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
        breaker.ledger().count(verdict, nanos, meter);
        return true;
    }

    @Override
    Counts counts() {
        return meter.counts();
    }
}
