package dev.fusebox.breaker;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one breaker in addition to its state, and the notification of its listeners. Thread-safe; holds no
 * lock.
 */
final class Ledger {
    /** The start of a call that is not timed. */
    private static final long UNTIMED = Long.MIN_VALUE;

    private final CircuitBreaker breaker;
    private final Listeners listeners;
    private final boolean countsSlowCalls;
    private final StripedCounter refusals = new StripedCounter();
    private final LongAdder abandoned = new LongAdder();
    private final LongAdder late = new LongAdder();
    private volatile @Nullable Failure lastFailure;

    Ledger(CircuitBreaker breaker, Listeners listeners) {
        this.breaker = breaker;
        this.listeners = listeners;
        this.countsSlowCalls = countsSlowCalls(breaker.policy().tripRule());
    }

    private static boolean countsSlowCalls(TripRule rule) {
        if (rule instanceof TripRule.WindowOrStreak both) {
            return countsSlowCalls(both.window());
        }
        return rule instanceof TripRule.SlidingWindow window && window.slowCalls() != null;
    }

    Listeners listeners() {
        return listeners;
    }

    @Nullable
    Failure lastFailure() {
        return lastFailure;
    }

    // ---- Time -----------------------------------------------------------------------------------------------------

    /** The current time if call durations are needed; reading the clock costs more than everything else. */
    long startOfCall() {
        if (!countsSlowCalls && !listeners.wantCalls()) {
            return UNTIMED;
        }
        long now = breaker.surroundings().ticker().nanos();
        return now == UNTIMED ? now + 1 : now;
    }

    /** How long the call took, without its pauses; 0 if it was not timed. */
    long duration(@Nullable Permit permit, long started) {
        if (started == UNTIMED) {
            return 0;
        }
        long now = breaker.surroundings().ticker().nanos();
        return now - started - (permit == null ? 0 : permit.pausedNanos(now));
    }

    // ---- Writing down ---------------------------------------------------------------------------------------------

    /** Counts the end of a call in a phase that admits every call; a trip if the breaker should open. */
    @Nullable
    Trip count(Verdict verdict, long nanos, Meter meter) {
        if (verdict.kind() == Verdict.Kind.SUCCESS) {
            return meter.success(nanos);
        }
        if (verdict.kind() == Verdict.Kind.NEITHER) {
            abandoned.increment();
            return null;
        }
        failed(failure(verdict));
        return meter.failure(nanos, verdict.category());
    }

    Failure failure(Verdict verdict) {
        return Failure.of(verdict, breaker.surroundings().wall().instant());
    }

    /** A failure that counts; late ones do not. */
    void failed(Failure failure) {
        lastFailure = failure;
    }

    void abandoned() {
        abandoned.increment();
    }

    void late() {
        late.increment();
    }

    void refused() {
        refusals.increment();
    }

    void publishRejection(Rejection rejection) {
        if (listeners.wantRejections()) {
            listeners.tell(new BreakerEvent.CallRejected(
                    breaker.name(), rejection.transition(), rejection.state(), rejection.retryAfterMs()));
        }
    }

    // ---- Telling --------------------------------------------------------------------------------------------------

    void publishCall(Phase entered, Verdict verdict, long started, long nanos) {
        if (started != UNTIMED && listeners.wantCalls()) {
            long transition = entered.since().transition();
            Duration duration = Duration.ofNanos(nanos);
            if (verdict.kind() == Verdict.Kind.SUCCESS) {
                listeners.tell(new BreakerEvent.CallSucceeded(breaker.name(), transition, duration));
            } else if (verdict.kind() == Verdict.Kind.FAILURE) {
                listeners.tell(new BreakerEvent.CallFailed(breaker.name(), transition, duration, verdict.category()));
            }
        }
    }

    /** Called once for each change, after it is visible to all threads, by the thread that made it. */
    void publishTransition(Phase before, Phase next, Reason reason) {
        Counts counts = next.state() == State.OPEN ? next.counts() : before.counts();
        listeners.tell(new BreakerEvent.StateChange(
                breaker.name(),
                next.since().transition(),
                before.state(),
                next.state(),
                reason,
                next.since().wall(),
                counts.failureCount(),
                counts.failureRate(),
                counts.totalCalls(),
                retryAt(next)));
    }

    void publishProbe(Phase phase, int call) {
        int maxCalls = breaker.policy().halfOpen().maxCalls();
        listeners.tell(
                new BreakerEvent.HalfOpenTest(breaker.name(), phase.since().transition(), call, maxCalls));
    }

    private static @Nullable Instant retryAt(Phase phase) {
        return phase instanceof OpenPhase open ? open.retryAtWall() : null;
    }

    BreakerSnapshot snapshot(Phase phase) {
        Counts counts = phase.counts();
        History history = phase.history();
        return new BreakerSnapshot(
                breaker.name(),
                phase.state(),
                phase.since().transition(),
                phase.since().wall(),
                retryAt(phase),
                phase instanceof OpenPhase open ? open.cooldown() : null,
                phase instanceof OpenPhase open && open.probeDue(),
                phase instanceof HalfOpenPhase halfOpen ? halfOpen.testsUnderWay() : 0,
                phase instanceof ForcedOpenPhase forced ? forced.text() : null,
                counts,
                lastFailure,
                new BreakerSnapshot.Totals(
                        history.trips(),
                        history.inARow(),
                        refusals.sum(),
                        abandoned.sum(),
                        late.sum(),
                        listeners.dropped(),
                        listeners.faults()));
    }
}
