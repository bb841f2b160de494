package dev.fusebox.breaker;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A breaker at one moment. Immutable. The parts are read one after the other: under traffic they may differ by the
 * calls that ended in between.
 *
 * @param transition how many changes of state there have been
 * @param since when the state began
 * @param retryAt when the next call may be the probe; null unless open
 * @param cooldown how long it stays open this time, grown and with jitter; null unless open
 * @param probeDue that time has come: the next call will be the probe
 * @param testsUnderWay probes that have not ended
 * @param operatorReason why an operator forced the breaker open; null unless they did
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
     * What has been counted since the breaker was made.
     *
     * @param trips how often it opened by itself
     * @param tripsInARow trips without a calm time between them; the cooldown grows with them
     * @param refusals calls that were not let in
     * @param abandoned calls that said nothing about the server
     * @param late calls that ended after their phase was over, or after another call took their place
     * @param droppedEvents events that the executor of the listeners would not take
     * @param faults exceptions of listeners and of the judge
     */
    public record Totals(
            long trips, int tripsInARow, long refusals, long abandoned, long late, long droppedEvents, long faults) {}

    public Scope scope() {
        return name.scope();
    }

    /** The failures that count towards the threshold, or that led to the last trip. */
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
