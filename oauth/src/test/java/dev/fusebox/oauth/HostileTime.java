package dev.fusebox.oauth;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import java.time.Duration;

/// A clock that runs faster than the real one, so that a limit of 20 s takes a second. Pure functions.
final class HostileTime {
    private HostileTime() {}

    static Platform faster(Platform real, int factor) {
        Timers timers = new Timers() {
            @Override
            public void park(long nanos) {
                real.timers().park(nanos <= 0 ? nanos : Math.max(1, nanos / factor));
            }

            @Override
            public Timer schedule(Duration delay, Runnable action) {
                return real.timers().schedule(delay.dividedBy(factor), action);
            }
        };
        return new Platform(
                () -> real.ticker().nanos() * factor,
                real.wallClock(),
                real.random(),
                timers,
                real.environment(),
                real.processes(),
                real.peerUsers());
    }
}
