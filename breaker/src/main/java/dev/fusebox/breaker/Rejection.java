package dev.fusebox.breaker;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A refused call: which breaker refused it, why, and when to come back. Immutable and cheap: 24 bytes for all refusals
 * of a millisecond, no stack trace; words are made only when somebody reads them.
 */
public final class Rejection implements Admission {
    private static final long NEVER = -1;

    private final Phase phase;
    private final long retryAfterMs;

    private Rejection(Phase phase, long retryAfterMs) {
        this.phase = phase;
        this.retryAfterMs = retryAfterMs;
    }

    static Rejection until(Phase phase, long retryAfterMs) {
        return new Rejection(phase, retryAfterMs);
    }

    /** What is told of a time: rounded up, and at least 1. */
    static long millis(long nanos) {
        return Math.max(1, (nanos + 999_999) / 1_000_000);
    }

    boolean isIn(long millis) {
        return retryAfterMs == millis;
    }

    static Rejection forGood(Phase phase) {
        return new Rejection(phase, NEVER);
    }

    public BreakerName name() {
        return phase.breaker.name();
    }

    public Scope scope() {
        return name().scope();
    }

    /** The state that refused the call: open, half-open or forced-open. */
    public State state() {
        return phase.state();
    }

    /** Milliseconds, rounded up and at least 1, until another try makes sense; null when only an operator can help. */
    public @Nullable Long retryAfterMs() {
        return retryAfterMs == NEVER ? null : retryAfterMs;
    }

    /** {@link #retryAfterMs()} as a duration. */
    public @Nullable Duration retryAfter() {
        Long millis = retryAfterMs();
        return millis == null ? null : Duration.ofMillis(millis);
    }

    /** {@link #retryAfterMs()} from now, as a wall clock shows it. */
    public @Nullable Instant retryAt() {
        Long millis = retryAfterMs();
        return millis == null
                ? null
                : phase.breaker
                        .surroundings()
                        .wall()
                        .instant()
                        .plusMillis(millis)
                        .truncatedTo(ChronoUnit.MILLIS);
    }

    /** The failures that led to the last trip; 0 when an operator opened the breaker. */
    public long failureCount() {
        return phase.history().failureCount();
    }

    /** The category of the last failure; null when there was none. */
    public @Nullable String lastCategory() {
        Failure last = phase.breaker.ledger().lastFailure();
        return last == null ? null : last.category();
    }

    /** What an operator gave as the reason; null unless the breaker is forced open. */
    public @Nullable String operatorReason() {
        return phase instanceof ForcedOpenPhase forced ? forced.text() : null;
    }

    /** What is down, until when, and what to do instead: a sentence that a language model can act on. */
    public String message() {
        return RefusalWords.of(this);
    }

    public CallRejectedException toException() {
        return new CallRejectedException(this);
    }

    @Override
    public String toString() {
        return message();
    }
}
