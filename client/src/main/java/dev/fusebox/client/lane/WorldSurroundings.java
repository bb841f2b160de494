package dev.fusebox.client.lane;

import dev.fusebox.breaker.Surroundings;
import dev.fusebox.world.World;

/// The world, as breakers see it. Thread-safe, having no state; nothing blocks.
public final class WorldSurroundings {
    private WorldSurroundings() {}

    /// Time, chance and waiting of this world.
    public static Surroundings of(World world) {
        return new Surroundings(
                world.ticker()::nanos,
                world.wallClock(),
                world.random(),
                (blocker, nanos) -> world.timers().park(nanos));
    }
}
