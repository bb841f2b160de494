package dev.fusebox.client.resilience;

import dev.fusebox.breaker.Surroundings;
import dev.fusebox.platform.Platform;

/// The adapter from the platform to the breakers' `Surroundings`. Thread-safe and stateless; nothing blocks.
public final class PlatformSurroundings {
    private PlatformSurroundings() {}

    /// Clock, random numbers and timers of this platform.
    public static Surroundings of(Platform platform) {
        return new Surroundings(
                platform.ticker()::nanos,
                platform.wallClock(),
                platform.random(),
                (blocker, nanos) -> platform.timers().park(nanos));
    }
}
