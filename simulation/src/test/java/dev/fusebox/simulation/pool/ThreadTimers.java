package dev.fusebox.simulation.pool;

import dev.fusebox.testkit.Simulation;
import dev.fusebox.world.Timer;
import dev.fusebox.world.Timers;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// Timers whose actions run on threads of the simulation, so that the threads they start belong to it.
record ThreadTimers(Simulation sim) implements Timers {
    static World world(Simulation sim) {
        World plain = sim.world();
        return new World(
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
        sim.world().timers().park(nanos);
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        AtomicBoolean over = new AtomicBoolean();
        sim.spawn("timer", () -> {
            sim.world().pause(delay);
            if (over.compareAndSet(false, true)) {
                action.run();
            }
        });
        return () -> over.compareAndSet(false, true);
    }
}
