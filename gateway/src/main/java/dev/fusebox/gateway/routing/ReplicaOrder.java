package dev.fusebox.gateway.routing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The order in which a call tries replicas. Pure functions; thread-safe.
public final class ReplicaOrder {
    private ReplicaOrder() {}

    /// One replica at this moment. Immutable.
    ///
    /// @param isReady whether its breaker would admit a call
    /// @param load number of running and queued calls
    public record Candidate<S>(S server, boolean isReady, int load) {}

    /// The ready replicas by ascending load, then in the given order. At least half of the replicas stay eligible,
    /// regardless of their breakers: if most of them seem down at once, the gateway itself may be wrong.
    public static <S> List<S> order(List<Candidate<S>> all) {
        Comparator<Candidate<S>> byLoad = Comparator.comparingInt(Candidate::load);
        List<S> order = new ArrayList<>();
        all.stream().filter(Candidate::isReady).sorted(byLoad).forEach(each -> order.add(each.server()));
        int least = (all.size() + 1) / 2;
        all.stream()
                .filter(each -> !each.isReady())
                .sorted(byLoad)
                .limit(Math.max(0, least - order.size()))
                .forEach(each -> order.add(each.server()));
        return List.copyOf(order);
    }
}
