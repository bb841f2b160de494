package dev.fusebox.client.resilience;

import dev.fusebox.breaker.Surroundings;
import dev.fusebox.platform.Platform;

/// The platform, as breakers see it. Thread-safe, having no state; nothing blocks.
public final class PlatformSurroundings {
    private PlatformSurroundings() {}

    /// Time, chance and waiting of this platform.
    public static Surroundings of(Platform platform) {
        return new Surroundings(
                platform.ticker()::nanos,
                platform.wallClock(),
                platform.random(),
                (blocker, nanos) -> platform.timers().park(nanos));
    }
}
