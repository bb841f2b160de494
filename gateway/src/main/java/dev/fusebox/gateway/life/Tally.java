package dev.fusebox.gateway.life;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Crashes that have not been forgotten yet. Immutable.
///
/// @param crashes the oldest first
record Tally(List<Crash> crashes) {
    static final Tally EMPTY = new Tally(List.of());

    Tally {
        crashes = List.copyOf(crashes);
    }

    /// One of them.
    ///
    /// @param at by the monotonic clock
    record Crash(long at, String cause) {}

    /// With this one, without those that are older than the window.
    Tally with(Crash crash, Duration window) {
        List<Crash> known = new ArrayList<>();
        for (Crash earlier : crashes) {
            if (crash.at() - earlier.at() < window.toNanos()) {
                known.add(earlier);
            }
        }
        known.add(crash);
        return new Tally(known);
    }

    int count() {
        return crashes.size();
    }
}
