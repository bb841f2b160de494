package dev.fusebox.breaker;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One stay of a breaker in one state; the next stay is another object. Thread-safe.
 *
 * <p>The object itself is the generation: a permit points to the phase that handed it out, and a phase changes the
 * breaker only by replacing itself, so what comes from an older phase finds nothing to change.
 */
abstract class Phase {
    final CircuitBreaker breaker;
    private final Since since;
    private final History history;
    private final Ticker ticker;
    /** Written and read without order: whichever refusal a thread sees here is whole, for it is immutable. */
    private @Nullable Rejection lastRefusal;

    Phase(CircuitBreaker breaker, Since since, History history) {
        this.breaker = breaker;
        this.since = since;
        this.history = history;
        this.ticker = breaker.surroundings().ticker();
    }

    /**
     * When a phase began.
     *
     * @param transition how many changes of state led here
     * @param nanos by the monotonic clock
     * @param wall by the wall clock
     */
    record Since(long transition, long nanos, Instant wall) {}

    abstract State state();

    /** The time by the monotonic clock. */
    final long now() {
        return ticker.nanos();
    }

    /** Whether calls need no permit here: nothing is taken when they begin, and nothing has to be given back. */
    boolean isFree() {
        return false;
    }

    /** Lets a call in or refuses it; null if this phase is over, and the next one has to be asked. */
    abstract @Nullable Admission admit(long leaseNanos);

    /** The refusal that a call would meet now, counted as one; null if it would be let in. Takes nothing. */
    @Nullable
    Rejection peek() {
        return null;
    }

    /** Refuses a call. Refusals of the same millisecond are alike and share one object: a storm allocates nothing. */
    final Rejection refuse(long now, long until) {
        breaker.ledger().refused();
        Rejection refusal = lastRefusal;
        if (refusal == null || !refusal.fits(now, until)) {
            refusal = Rejection.until(this, now, until);
            lastRefusal = refusal;
        }
        return refusal;
    }

    /**
     * Counts how a call of this phase ended, after {@code nanos} or an unknown time, 0. False if it no longer counts.
     * A phase that admits no calls has none to settle.
     */
    boolean ended(@Nullable Permit permit, Verdict verdict, long nanos) {
        return false;
    }

    void pause(Permit permit, long now, long atMostNanos) {}

    void resume(Permit permit, long now) {}

    /** What a status page shows as counted. */
    Counts counts() {
        return history.atTrip();
    }

    Since since() {
        return since;
    }

    History history() {
        return history;
    }

    /** The phase that follows if this one opens the breaker now. */
    OpenPhase open(History next) {
        return new OpenPhase(breaker, breaker.sinceFor(this, State.OPEN), next);
    }

    @SuppressWarnings("ReferenceEquality") // the object itself is the generation
    boolean isOver() {
        return breaker.phase() != this;
    }
}
