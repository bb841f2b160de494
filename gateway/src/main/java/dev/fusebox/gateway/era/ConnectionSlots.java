package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ways to a server that are as good as each other. A call takes the one that was used last of those that nobody
/// is on; if there is none, one that has not been used yet; and otherwise the one with the fewest calls.
/// Thread-safe; only [#call] blocks. Its monitor is a leaf.
final class ConnectionSlots {
    private final List<Place> places = new ArrayList<>();
    private long turn;

    /// One of them, and when it was used last. Written under the monitor only.
    private static final class Place {
        private final ConnectionSlot slot;

        /// Of no use yet as long as it is 0.
        private long usedAt;

        Place(ConnectionSlot slot) {
            this.slot = slot;
        }
    }

    /// @param most how many there may be
    /// @param first null if nobody shares one yet
    ConnectionSlots(int most, ConnectionSet.Yard yard, @Nullable UpstreamEndpoint first) {
        places.add(new Place(
                first == null ? new ConnectionSlot(() -> yard.build(null, false)) : ConnectionSlot.of(first)));
        for (int i = 1; i < most; i++) {
            places.add(new Place(new ConnectionSlot(() -> yard.build(null, true))));
        }
    }

    /// The one that is needed whatever comes.
    ConnectionSlot first() {
        return places.getFirst().slot;
    }

    Outcome call(Call call, ClientMetadata client) {
        Place place = enter();
        Outcome outcome = null;
        try {
            outcome = place.slot.endpoint().call(call, client);
            return outcome;
        } finally {
            leave(place, outcome instanceof Outcome.Answered);
        }
    }

    private synchronized Place enter() {
        Place best = places.stream()
                .filter(place -> place.slot.calls() == 0)
                .max(Comparator.comparingLong((Place place) -> place.usedAt)
                        .thenComparingInt(place -> -places.indexOf(place)))
                .or(() -> places.stream()
                        .filter(place -> place.usedAt > 0)
                        .min(Comparator.comparingInt(place -> place.slot.calls())))
                .orElseGet(places::getFirst);
        best.slot.enter();
        return best;
    }

    private synchronized void leave(Place place, boolean isGood) {
        place.slot.leave();
        place.usedAt = isGood ? ++turn : place.usedAt;
    }

    /// Those that have been made.
    List<ConnectionSlot> built() {
        return places.stream()
                .map(place -> place.slot)
                .filter(ConnectionSlot::isBuilt)
                .toList();
    }
}
