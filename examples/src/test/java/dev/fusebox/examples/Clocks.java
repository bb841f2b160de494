package dev.fusebox.examples;

import dev.fusebox.breaker.Surroundings;
import dev.fusebox.testkit.ManualTime;
import dev.fusebox.world.World;

/// Lets breakers go by a clock that a test moves by hand.
final class Clocks {
    private Clocks() {}

    static Surroundings surroundings(ManualTime time) {
        World world = time.world();
        return new Surroundings(
                time::nanos,
                world.wallClock(),
                world.random(),
                (blocker, nanos) -> world.timers().park(nanos));
    }
}
