package dev.fusebox.simulation.pipeline;

import java.time.Duration;

/// A simulated server that answers every call, after a fixed time.
record HealthyServer(Duration pace) implements ProcessScript, SimulatedSite.Script {
    @Override
    public Start start() {
        return Start.WELL;
    }

    @Override
    public Reaction reaction(ServerCall serverCall) {
        return new Reaction(CallAction.ANSWER, pace);
    }

    @Override
    public SimulatedSite.Reaction site(ServerCall serverCall) {
        return new SimulatedSite.Reaction(SimulatedSite.CallAction.ANSWER, pace);
    }
}
