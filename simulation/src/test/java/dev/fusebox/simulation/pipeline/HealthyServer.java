package dev.fusebox.simulation.pipeline;

import java.time.Duration;

/// A server that answers every call, after so long.
record HealthyServer(Duration pace) implements ProcessScript, SimulatedSite.Script {
    @Override
    public Birth birth() {
        return Birth.WELL;
    }

    @Override
    public Act act(ServerCall serverCall) {
        return new Act(Deed.ANSWER, pace);
    }

    @Override
    public SimulatedSite.Act site(ServerCall serverCall) {
        return new SimulatedSite.Act(SimulatedSite.Deed.ANSWER, pace);
    }
}
