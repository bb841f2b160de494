package dev.fusebox.breaker;

/** The forced-open state: rejects every call until an operator resets the breaker. */
final class ForcedOpenPhase extends Phase {
    private final String text;
    private final Rejection rejection;

    ForcedOpenPhase(CircuitBreaker breaker, Since since, History history, String text) {
        super(breaker, since, history.cleared());
        this.text = text;
        this.rejection = Rejection.forGood(this);
    }

    @Override
    State state() {
        return State.FORCED_OPEN;
    }

    String text() {
        return text;
    }

    @Override
    Admission admit(long leaseNanos) {
        return peek();
    }

    @Override
    Rejection peek() {
        breaker.ledger().refused();
        return rejection;
    }
}
