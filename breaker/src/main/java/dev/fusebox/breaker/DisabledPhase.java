package dev.fusebox.breaker;

/** Lets every call in and counts how they end; nothing trips it. */
final class DisabledPhase extends FreePhase {
    DisabledPhase(CircuitBreaker breaker, Since since, History history) {
        super(breaker, since, history.cleared());
    }

    @Override
    State state() {
        return State.DISABLED;
    }

    @Override
    void reached(Trip trip) {
        // Switched off: it only counts.
    }
}
