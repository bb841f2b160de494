package dev.fusebox.breaker;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event of a breaker. Immutable. Listen with {@link CircuitBreaker#on} or {@link Breakers#on}.
 *
 * <p>A call that began without a listener was not timed, and its end is not reported.
 */
public sealed interface BreakerEvent {
    /** The breaker. */
    BreakerName name();

    /** The number of a state change, or of the last one before the event. */
    long transition();

    /** What the breaker protects. */
    default Scope scope() {
        return name().scope();
    }

    /**
     * The breaker changed its state; reported exactly once for each change.
     *
     * @param transition numbers the changes of one breaker from 1, without gaps
     * @param failureCount the failures that count toward the threshold, or that led to the last trip
     * @param retryAt when the next call may be the probe; null unless the new state is open
     */
    record StateChange(
            BreakerName name,
            long transition,
            State from,
            State to,
            Reason reason,
            Instant at,
            long failureCount,
            double failureRate,
            long totalCalls,
            @Nullable Instant retryAt)
            implements BreakerEvent {}

    /** A call succeeded. */
    record CallSucceeded(BreakerName name, long transition, Duration duration) implements BreakerEvent {
        public long durationMs() {
            return duration.toMillis();
        }
    }

    /** A call failed. */
    record CallFailed(BreakerName name, long transition, Duration duration, String category) implements BreakerEvent {
        public long durationMs() {
            return duration.toMillis();
        }
    }

    /**
     * A call was rejected.
     *
     * @param retryAfterMs when to retry; null if only an operator can close the breaker
     */
    record CallRejected(
            BreakerName name,
            long transition,
            State state,
            @Nullable Long retryAfterMs) implements BreakerEvent {}

    /**
     * A call was admitted as a probe.
     *
     * @param call the number of the probe, from 1, since the breaker became half-open
     * @param maxCalls the maximum number of concurrent probes
     */
    record HalfOpenTest(BreakerName name, long transition, int call, int maxCalls) implements BreakerEvent {}
}
