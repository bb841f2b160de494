package dev.fusebox.breaker;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state and counters of a breaker at one moment. Immutable. The parts are read one after the other: under load they
 * may differ by the calls that ended in between.
 *
 * @param transition the number of state changes
 * @param since when the state began
 * @param retryAt when the next call may be the probe; null unless open
 * @param cooldown how long it stays open this time, grown and with jitter; null unless open
 * @param probeDue whether that time has come, so that the next call is the probe
 * @param testsUnderWay probes that have not ended
 * @param operatorReason the reason given by the operator who forced the breaker open; null otherwise
 * @param counts what is counted in this state, or was counted when the breaker tripped
 * @param lastFailure the last failure that was counted; null if there was none
 */
public record BreakerSnapshot(
        BreakerName name,
        State state,
        long transition,
        Instant since,
        @Nullable Instant retryAt,
        @Nullable Duration cooldown,
        boolean probeDue,
        int testsUnderWay,
        @Nullable String operatorReason,
        Counts counts,
        @Nullable Failure lastFailure,
        Totals totals) {

    /**
     * The counters since the breaker was created.
     *
     * @param trips how often it tripped
     * @param tripsInARow trips in a row, without a long closed phase between them; the cooldown grows with their number
     * @param refusals rejected calls
     * @param abandoned calls without a verdict about the server
     * @param late calls that ended after their phase was over, or after another call took over their permit
     * @param droppedEvents events that the executor of the listeners rejected
     * @param faults exceptions of listeners and of the judge
     */
    public record Totals(
            long trips, int tripsInARow, long refusals, long abandoned, long late, long droppedEvents, long faults) {}

    public Scope scope() {
        return name.scope();
    }

    /** The failures that count toward the threshold, or that led to the last trip. */
    public long failureCount() {
        return counts.failureCount();
    }

    public double failureRate() {
        return counts.failureRate();
    }

    public long totalCalls() {
        return counts.totalCalls();
    }
}
