package dev.fusebox.breaker;

/** The disabled state: admits every call and counts the outcomes; nothing trips it. */
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
