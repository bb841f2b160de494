package dev.fusebox.gateway.lifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The recent crashes that count against the crash budget. Immutable.
///
/// @param crashes the oldest first
record CrashCount(List<Crash> crashes) {
    static final CrashCount EMPTY = new CrashCount(List.of());

    CrashCount {
        crashes = List.copyOf(crashes);
    }

    /// A crash.
    ///
    /// @param at by the monotonic clock
    /// @param by the session that caused it on a shared server; null if it counts whichever session caused it
    record Crash(long at, String cause, @Nullable Object by) {
        Crash(long at, String cause) {
            this(at, cause, null);
        }
    }

    /// With this crash, and without those older than the window. One session counts once in a window, so that it
    /// cannot use up the budget for all.
    CrashCount with(Crash crash, Duration window) {
        List<Crash> known = new ArrayList<>();
        for (Crash earlier : crashes) {
            if (crash.at() - earlier.at() < window.toNanos()) {
                known.add(earlier);
            }
        }
        boolean hasCounted = crash.by() != null
                && known.stream().anyMatch(earlier -> crash.by().equals(earlier.by()));
        if (!hasCounted) {
            known.add(crash);
        }
        return new CrashCount(known);
    }

    int count() {
        return crashes.size();
    }
}
