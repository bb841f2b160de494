package dev.fusebox.simulation.pipeline;

import dev.fusebox.client.Deadline;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;

/// The time limit of one caller, and when it cancelled. For the threads of one simulation.
final class SimulatedWait {
    private final Simulation sim;
    private final Deadline deadline;
    private final Duration begun;
    private Duration due;

    SimulatedWait(Simulation sim, Duration limit) {
        this.sim = sim;
        this.deadline = new Deadline(limit, Duration.ZERO, sim.platform().ticker());
        this.begun = sim.elapsed();
        this.due = begun.plus(limit);
    }

    Deadline deadline() {
        return deadline;
    }

    Duration begun() {
        return begun;
    }

    /// The time by which the call must have ended.
    Duration due() {
        return due;
    }

    /// Promises that the call will end before its limit.
    void promise(Duration limit) {
        due = begun.plus(limit);
    }

    boolean isStillThere() {
        return !deadline.isGivenUp();
    }

    void leave() {
        if (!deadline.isGivenUp() && sim.elapsed().compareTo(due) < 0) {
            due = sim.elapsed();
        }
        deadline.giveUp();
    }

    void leaveAfter(Duration delay) {
        sim.platform().timers().schedule(delay, this::leave);
    }
}
