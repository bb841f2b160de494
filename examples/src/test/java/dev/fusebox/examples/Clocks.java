package dev.fusebox.examples;

import dev.fusebox.breaker.Surroundings;
import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.ManualTime;

/// Lets breakers go by a clock that a test moves by hand.
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
