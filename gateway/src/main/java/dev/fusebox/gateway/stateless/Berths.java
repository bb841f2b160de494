package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Ways to a server that are as good as each other. A call takes the one that was used last of those that nobody is on;
/// if there is none, one that has not been used yet; and otherwise the one with the fewest calls. Thread-safe; only
/// [#call] blocks. Its monitor is a leaf.
final class Berths {
    private final List<Berth> berths = new ArrayList<>();
    private final Fleet.Yard yard;
    private long turn;

    /// A place for one of them. Written under the monitor only.
    private static final class Berth {
        private volatile @Nullable Target target;
        private int calls;

        /// Nobody's yet as long as it is 0.
        private long usedAt;
    }

    /// @param most how many there may be
    /// @param first null if nobody shares one yet
    Berths(int most, Fleet.Yard yard, @Nullable Target first) {
        this.yard = yard;
        for (int i = 0; i < most; i++) {
            berths.add(new Berth());
        }
        berths.getFirst().target = first;
    }

    /// The one that is needed whatever comes.
    Target first() {
        Target known = berths.getFirst().target;
        return known == null ? built(berths.getFirst()) : known;
    }

    private synchronized Target built(Berth berth) {
        Target known = berth.target;
        if (known == null) {
            known = yard.build(null, berth != berths.getFirst());
            berth.target = known;
        }
        return known;
    }

    Outcome call(Call call, Metadata client) {
        Berth berth = enter();
        Outcome outcome = null;
        try {
            outcome = built(berth).call(call, client);
            return outcome;
        } finally {
            leave(berth, outcome instanceof Outcome.Answered);
        }
    }

    private synchronized Berth enter() {
        Berth best = berths.stream()
                .filter(berth -> berth.calls == 0)
                .max(Comparator.comparingLong((Berth berth) -> berth.usedAt)
                        .thenComparingInt(berth -> -berths.indexOf(berth)))
                .or(() -> berths.stream().filter(berth -> berth.usedAt > 0).min(Comparator.comparingInt(b -> b.calls)))
                .orElseGet(berths::getFirst);
        best.calls++;
        return best;
    }

    private synchronized void leave(Berth berth, boolean isGood) {
        berth.calls--;
        berth.usedAt = isGood ? ++turn : berth.usedAt;
    }

    /// Those that have been made.
    List<Target> all() {
        return berths.stream()
                .map(berth -> berth.target)
                .filter(Objects::nonNull)
                .toList();
    }
}
