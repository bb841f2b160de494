package dev.fusebox.breaker;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One continuous period of a breaker in one state; the next period is another object. Thread-safe.
 *
 * <p>The object itself is the generation: a permit refers to the phase that granted it, and a phase changes the breaker
 * only by replacing itself, so results from an older phase have no effect.
 */
abstract class Phase {
    final CircuitBreaker breaker;
    private final Since since;
    private final History history;
    private final Ticker ticker;
    /**
     * Written and read without ordering: every rejection that a thread reads here is complete, because it is immutable.
     */
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
     * @param transition the number of state changes up to here
     * @param nanos by the monotonic clock
     * @param wall by the wall clock
     */
    record Since(long transition, long nanos, Instant wall) {}

    abstract State state();

    /** The time by the monotonic clock. */
    final long now() {
        return ticker.nanos();
    }

    /** Whether calls need no permit in this phase: nothing is taken when they begin, and nothing is returned. */
    boolean isFree() {
        return false;
    }

    /** Admits or rejects a call; null if this phase is over and the next one decides. */
    abstract @Nullable Admission admit(long leaseNanos);

    /** The rejection that a call would get now, which is counted; null if it would be admitted. Takes no permit. */
    @Nullable
    Rejection peek() {
        return null;
    }

    /**
     * Rejects a call. Rejections of the same millisecond are equal and share one object, so a burst allocates nothing.
     */
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

    /** The counts for a status page. */
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
