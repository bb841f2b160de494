package dev.fusebox.examples;

import dev.fusebox.breaker.Surroundings;
import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.ManualTime;

/// A clock for breakers that a test advances manually.
final class Clocks {
    private Clocks() {}

    static Surroundings surroundings(ManualTime time) {
        Platform platform = time.platform();
        return new Surroundings(
                time::nanos,
                platform.wallClock(),
                platform.random(),
                (blocker, nanos) -> platform.timers().park(nanos));
    }
}
