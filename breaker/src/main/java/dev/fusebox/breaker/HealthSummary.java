package dev.fusebox.breaker;

import java.util.List;

/**
 * A summary of the states of all breakers. Immutable.
 *
 * @param openBreakers those that are open or forced open
 * @param closedBreakers those that are closed or disabled
 * @param unhealthyBreakers the names of those that are neither closed nor disabled, sorted
 */
public record HealthSummary(
        int totalBreakers, int closedBreakers, int openBreakers, int halfOpenBreakers, List<String> unhealthyBreakers) {

    public HealthSummary {
        unhealthyBreakers = List.copyOf(unhealthyBreakers);
    }

    static HealthSummary of(List<BreakerSnapshot> snapshots) {
        return new HealthSummary(
                snapshots.size(),
                count(snapshots, State.CLOSED, State.DISABLED),
                count(snapshots, State.OPEN, State.FORCED_OPEN),
                count(snapshots, State.HALF_OPEN, State.HALF_OPEN),
                snapshots.stream()
                        .filter(one -> one.state() != State.CLOSED && one.state() != State.DISABLED)
                        .map(one -> one.name().toString())
                        .toList());
    }

    private static int count(List<BreakerSnapshot> snapshots, State one, State other) {
        return (int) snapshots.stream()
                .filter(each -> each.state() == one || each.state() == other)
                .count();
    }
}
