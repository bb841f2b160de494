package dev.fusebox.client.lane;

import dev.fusebox.client.Category;
import dev.fusebox.client.Outcome;

/// A lane over one connection at a time: several ways may lead to one server, each with a process of its own, say, and
/// what happens on any of them counts for all. Thread-safe; [#call] blocks, for as long as the caller has patience.
public final class Way {
    private final Lane lane;
    private final Vitals vitals;
    private final Doubts doubts;

    Way(Lane lane, Vitals vitals, Doubts.Rules rules) {
        this.lane = lane;
        this.vitals = vitals;
        this.doubts = new Doubts(vitals, rules, this::silent);
    }

    /// Makes the call, or refuses it.
    public Outcome call(LaneCall call) {
        return lane.call(call, doubts);
    }

    /// A server that stays silent will not come back on the same connection, once it counts as down.
    private void silent(Category category) {
        if (lane.silent(category)) {
            vitals.disconnect();
        }
    }
}
