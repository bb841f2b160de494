package dev.fusebox.simulation.lane;

import java.time.Duration;

/// A server that answers every call, after so long.
record Well(Duration pace) implements ProcessScript, SimulatedSite.Script {
    @Override
    public Birth birth() {
        return Birth.WELL;
    }

    @Override
    public Act act(Job job) {
        return new Act(Deed.ANSWER, pace);
    }

    @Override
    public SimulatedSite.Act site(Job job) {
        return new SimulatedSite.Act(SimulatedSite.Deed.ANSWER, pace);
    }
}
