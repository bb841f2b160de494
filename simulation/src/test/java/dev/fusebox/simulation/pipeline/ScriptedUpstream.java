package dev.fusebox.simulation.pipeline;

import java.time.Duration;

/// A simulated server whose behavior the test sets, and changes at any time. For the threads of one simulation.
final class ScriptedUpstream implements ProcessScript, SimulatedSite.Script {
    private static final Duration QUICK = Duration.ofMillis(10);

    private Start start = Start.WELL;
    private CallAction action = CallAction.ANSWER;
    private SimulatedSite.CallAction reply = SimulatedSite.CallAction.ANSWER;
    private Duration pace = QUICK;
    private boolean isThere = true;

    void starts(Start other) {
        start = other;
    }

    void does(CallAction other) {
        action = other;
    }

    void replies(SimulatedSite.CallAction other) {
        reply = other;
    }

    /// The server does not answer the handshake.
    void leaves() {
        isThere = false;
    }

    void takes(Duration other) {
        pace = other;
    }

    /// Makes the server healthy.
    void recovers() {
        start = Start.WELL;
        action = CallAction.ANSWER;
        reply = SimulatedSite.CallAction.ANSWER;
        pace = QUICK;
        isThere = true;
    }

    @Override
    public Start start() {
        return start;
    }

    @Override
    public Reaction reaction(ServerCall serverCall) {
        return new Reaction(action, pace);
    }

    @Override
    public SimulatedSite.Reaction site(ServerCall serverCall) {
        return new SimulatedSite.Reaction(reply, pace);
    }

    @Override
    public boolean isThere() {
        return isThere;
    }
}
