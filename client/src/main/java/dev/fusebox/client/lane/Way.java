package dev.fusebox.client.lane;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import org.jspecify.annotations.Nullable;

/// A lane over one connection at a time: several ways may lead to one server, each with a process of its own, say,
/// and what happens on any of them counts for all. Thread-safe; [#call] blocks, for as long as the caller has
/// patience.
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

    /// Why nobody may call the server now, as a call would be told; null if calls are let in as usual.
    public @Nullable CallFailure refusal() {
        return lane.refusal();
    }

    /// A process that stays silent will not come back by itself. If it counts as down, or no other client waits
    /// for it, it is ended, so that the next call meets a fresh one.
    private void silent(FailureCategory category) {
        if (lane.silent(category, vitals.isIdle())) {
            doubts.cut();
            vitals.disconnect();
        }
    }
}
