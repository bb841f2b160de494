package dev.fusebox.simulation;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// Timers whose actions run on threads of the simulation, so that the threads they start belong to it.
public record ThreadTimers(Simulation sim) implements Timers {
    public static Platform platform(Simulation sim) {
        Platform plain = sim.platform();
        return new Platform(
                plain.ticker(),
                plain.wallClock(),
                plain.random(),
                new ThreadTimers(sim),
                plain.environment(),
                plain.processes(),
                plain.peerUsers());
    }

    @Override
    public void park(long nanos) {
        sim.platform().timers().park(nanos);
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        AtomicBoolean over = new AtomicBoolean();
        sim.spawn("timer", () -> {
            sim.platform().pause(delay);
            if (over.compareAndSet(false, true)) {
                action.run();
            }
        });
        return () -> over.compareAndSet(false, true);
    }
}
