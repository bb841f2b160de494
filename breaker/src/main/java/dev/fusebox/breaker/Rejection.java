package dev.fusebox.breaker;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A rejected call: the breaker that rejected it, the reason, and when to retry. Immutable and cheap: one small object
 * for all rejections of a millisecond, no stack trace; texts are created only when they are read.
 */
public final class Rejection implements Admission {
    private static final long NEVER = -1;

    private final Phase phase;
    private final @Nullable Failure lastFailure;
    private final long retryAfterMs;
    /** By the monotonic clock; the wall clock is read when the rejection is printed. */
    private final long until;

    private Rejection(Phase phase, long retryAfterMs, long until) {
        this.phase = phase;
        this.lastFailure = phase.breaker.ledger().lastFailure();
        this.retryAfterMs = retryAfterMs;
        this.until = until;
    }

    static Rejection until(Phase phase, long now, long until) {
        return new Rejection(phase, millis(until - now), until);
    }

    static Rejection forGood(Phase phase) {
        return new Rejection(phase, NEVER, 0);
    }

    /** A time as it is reported: rounded up, and at least 1. */
    private static long millis(long nanos) {
        return Math.max(1, (nanos + 999_999) / 1_000_000);
    }

    /** Whether this rejection also applies to a call that is rejected now until that time. */
    boolean fits(long now, long then) {
        return until == then && retryAfterMs == millis(then - now);
    }

    long transition() {
        return phase.since().transition();
    }

    public BreakerName name() {
        return phase.breaker.name();
    }

    public Scope scope() {
        return name().scope();
    }

    /** The state that rejected the call: open, half-open or forced-open. */
    public State state() {
        return phase.state();
    }

    /**
     * Milliseconds, rounded up and at least 1, until a retry is useful; null if only an operator can close the breaker.
     */
    public @Nullable Long retryAfterMs() {
        return retryAfterMs == NEVER ? null : retryAfterMs;
    }

    /** {@link #retryAfterMs()} as a duration. */
    public @Nullable Duration retryAfter() {
        Long millis = retryAfterMs();
        return millis == null ? null : Duration.ofMillis(millis);
    }

    /** The same time by the wall clock, rounded up: a call at that time is not too early. */
    public @Nullable Instant retryAt() {
        if (retryAfterMs == NEVER) {
            return null;
        }
        Surroundings surroundings = phase.breaker.surroundings();
        long left = until - surroundings.ticker().nanos();
        return surroundings.wall().instant().plusNanos(left + 999_999).truncatedTo(ChronoUnit.MILLIS);
    }

    /** The failures that led to the last trip; 0 if an operator opened the breaker. */
    public long failureCount() {
        return phase.history().failureCount();
    }

    /** The category of the last failure; null if there was none. */
    public @Nullable String lastCategory() {
        return lastFailure == null ? null : lastFailure.category();
    }

    /** The reason given by an operator; null unless the breaker is forced open. */
    public @Nullable String operatorReason() {
        return phase instanceof ForcedOpenPhase forced ? forced.text() : null;
    }

    /**
     * The rejection in one line for people and logs, such as <i>Circuit breaker 'jira' is open after 5 failures; retry
     * in 29 s</i>. The time is counted from the rejection.
     */
    public String message() {
        return RejectionMessages.forPeople(this);
    }

    /**
     * The rejection as the result of a tool call: what is down, until when, and what to do instead, in a sentence that
     * a language model can act on. It contains a point in time, because a model does not know how old the message is.
     */
    public String modelMessage() {
        return RejectionMessages.forModel(this);
    }

    public CallRejectedException toException() {
        return new CallRejectedException(this);
    }

    @Override
    public String toString() {
        return message();
    }
}
