package dev.fusebox.gateway.routing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// In which order a call asks servers that are the same. Pure functions; thread-safe.
public final class ReplicaOrder {
    private ReplicaOrder() {}

    /// One of them at this moment. Immutable.
    ///
    /// @param isReady whether it would let a call in, as far as its breaker knows
    /// @param load calls that it works on, and those that wait for it
    public record Candidate<S>(S server, boolean isReady, int load) {}

    /// Those that are ready, who has least to do first, and of equals the first. More than half of them are never
    /// left out, whatever their breakers say: that most are sick at once may well be our own mistake.
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
