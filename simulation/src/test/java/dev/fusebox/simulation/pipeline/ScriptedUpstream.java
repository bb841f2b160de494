package dev.fusebox.simulation.pipeline;

import java.time.Duration;

/// A server that does what a story tells it, until the story tells it something else. For the threads of one
/// simulation.
final class ScriptedUpstream implements ProcessScript, SimulatedSite.Script {
    private static final Duration QUICK = Duration.ofMillis(10);

    private Birth birth = Birth.WELL;
    private Deed deed = Deed.ANSWER;
    private SimulatedSite.Deed reply = SimulatedSite.Deed.ANSWER;
    private Duration pace = QUICK;
    private boolean isThere = true;

    void starts(Birth other) {
        birth = other;
    }

    void does(Deed other) {
        deed = other;
    }

    void replies(SimulatedSite.Deed other) {
        reply = other;
    }

    /// Nobody is there to be greeted.
    void leaves() {
        isThere = false;
    }

    void takes(Duration other) {
        pace = other;
    }

    /// From now on everything is well.
    void recovers() {
        birth = Birth.WELL;
        deed = Deed.ANSWER;
        reply = SimulatedSite.Deed.ANSWER;
        pace = QUICK;
        isThere = true;
    }

    @Override
    public Birth birth() {
        return birth;
    }

    @Override
    public Act act(ServerCall serverCall) {
        return new Act(deed, pace);
    }

    @Override
    public SimulatedSite.Act site(ServerCall serverCall) {
        return new SimulatedSite.Act(reply, pace);
    }

    @Override
    public boolean isThere() {
        return isThere;
    }
}
