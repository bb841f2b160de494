package dev.fusebox.simulation;

import dev.fusebox.breaker.Surroundings;
import dev.fusebox.world.World;

/// Hands a world to the breaker library.
final class Edge {
    private Edge() {}

    static Surroundings of(World world) {
        return new Surroundings(
                world.ticker()::nanos,
                world.wallClock(),
                world.random(),
                (blocker, nanos) -> world.timers().park(nanos));
    }
}
