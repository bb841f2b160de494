package dev.fusebox.simulation;

import dev.fusebox.breaker.Surroundings;
import dev.fusebox.platform.Platform;

/// An adapter from a platform to the surroundings of the breaker library. Stateless.
final class BreakerSurroundings {
    private BreakerSurroundings() {}

    static Surroundings of(Platform platform) {
        return new Surroundings(
                platform.ticker()::nanos,
                platform.wallClock(),
                platform.random(),
                (blocker, nanos) -> platform.timers().park(nanos));
    }
}
