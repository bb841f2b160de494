package dev.fusebox.client.resilience;

import dev.fusebox.breaker.Surroundings;
import dev.fusebox.world.World;

/// The world, as breakers see it. Thread-safe, having no state; nothing blocks.
public final class PlatformSurroundings {
    private PlatformSurroundings() {}

    /// Time, chance and waiting of this world.
    public static Surroundings of(World world) {
        return new Surroundings(
                world.ticker()::nanos,
                world.wallClock(),
                world.random(),
                (blocker, nanos) -> world.timers().park(nanos));
    }
}
