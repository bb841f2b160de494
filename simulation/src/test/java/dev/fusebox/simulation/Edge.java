package dev.fusebox.simulation;

import dev.fusebox.breaker.Surroundings;
import dev.fusebox.platform.Platform;

/// Hands a platform to the breaker library.
final class Edge {
    private Edge() {}

    static Surroundings of(Platform platform) {
        return new Surroundings(
                platform.ticker()::nanos,
                platform.wallClock(),
                platform.random(),
                (blocker, nanos) -> platform.timers().park(nanos));
    }
}
