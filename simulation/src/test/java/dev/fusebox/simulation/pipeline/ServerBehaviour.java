package dev.fusebox.simulation.pipeline;

import dev.fusebox.simulation.pipeline.ProcessScript.CallAction;
import dev.fusebox.simulation.pipeline.ProcessScript.Reaction;
import dev.fusebox.simulation.pipeline.ProcessScript.Start;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.List;

/// A phase in the behavior of a server. Its actions are drawn from the seed.
enum ServerBehaviour {
    WELL,
    /// One call in two fails in some way.
    UNRELIABLE,
    /// It ends with every other call, and does not always start.
    DYING,
    /// Nothing is answered.
    SILENT,
    /// Responses arrive, mostly after the caller's time limit.
    SLOW,
    /// It does not start.
    DEAD;

    private static final List<CallAction> BAD = List.of(
            CallAction.ANSWER_TWICE,
            CallAction.ANSWER_UNKNOWN_ID,
            CallAction.NOISE,
            CallAction.TOOL_ERROR,
            CallAction.ERROR,
            CallAction.HANG,
            CallAction.FREEZE,
            CallAction.BLOCK,
            CallAction.CRASH_BEFORE,
            CallAction.CRASH_AFTER);

    private static final List<Start.Kind> BAD_STARTS = List.of(
            Start.Kind.NOT_FOUND,
            Start.Kind.SHORTAGE,
            Start.Kind.DIES,
            Start.Kind.DIES_IN_HANDSHAKE,
            Start.Kind.SILENT,
            Start.Kind.REFUSES);

    private static final List<SimulatedSite.CallAction> BAD_REPLIES = List.of(
            SimulatedSite.CallAction.BROKEN,
            SimulatedSite.CallAction.BAD_GATEWAY,
            SimulatedSite.CallAction.UNAUTHORIZED,
            SimulatedSite.CallAction.TOO_MANY,
            SimulatedSite.CallAction.REFUSED,
            SimulatedSite.CallAction.RESET,
            SimulatedSite.CallAction.HANG,
            SimulatedSite.CallAction.TOOL_ERROR,
            SimulatedSite.CallAction.ERROR);

    private static final int QUICK_MILLIS = 800;
    private static final int SLOW_MILLIS = 60_000;

    /// A few phases, one after the other, drawn from the seed; after them the server is healthy.
    static BehaviourPhases of(Simulation sim) {
        ServerBehaviour[] behaviours = new ServerBehaviour[sim.random().nextInt(1, 5)];
        for (int i = 0; i < behaviours.length; i++) {
            behaviours[i] = values()[sim.random().nextInt(values().length)];
        }
        Duration each = Duration.ofSeconds(sim.random().nextInt(5, 60));
        return new BehaviourPhases(sim, List.of(behaviours), each);
    }

    /// The phases of one server.
    record BehaviourPhases(Simulation sim, List<ServerBehaviour> behaviours, Duration each)
            implements ProcessScript, SimulatedSite.Script {
        private ServerBehaviour now() {
            long at = sim.elapsed().dividedBy(each);
            return at < behaviours.size() ? behaviours.get((int) at) : WELL;
        }

        @Override
        public Start start() {
            Duration takes = Duration.ofMillis(sim.random().nextInt(1, 1_500));
            boolean isBad = switch (now()) {
                case WELL, SLOW -> false;
                case UNRELIABLE, SILENT -> sim.random().nextInt(4) == 0;
                case DYING -> sim.random().nextBoolean();
                case DEAD -> true;
            };
            return new Start(isBad ? any(BAD_STARTS) : Start.Kind.WELL, takes);
        }

        @Override
        public Reaction reaction(ServerCall serverCall) {
            CallAction action = switch (now()) {
                case WELL, SLOW -> CallAction.ANSWER;
                case UNRELIABLE -> sim.random().nextBoolean() ? CallAction.ANSWER : any(BAD);
                case DYING -> sim.random().nextBoolean() ? CallAction.ANSWER : CallAction.CRASH_AFTER;
                case SILENT -> sim.random().nextBoolean() ? CallAction.HANG : CallAction.FREEZE;
                case DEAD -> CallAction.CRASH_BEFORE;
            };
            return new Reaction(action, pace());
        }

        @Override
        public SimulatedSite.Reaction site(ServerCall serverCall) {
            SimulatedSite.CallAction action = switch (now()) {
                case WELL, SLOW -> SimulatedSite.CallAction.ANSWER;
                case UNRELIABLE, DYING ->
                    sim.random().nextBoolean() ? SimulatedSite.CallAction.ANSWER : any(BAD_REPLIES);
                case SILENT -> SimulatedSite.CallAction.HANG;
                case DEAD -> SimulatedSite.CallAction.REFUSED;
            };
            return new SimulatedSite.Reaction(action, pace());
        }

        @Override
        public boolean isAwake() {
            return now() != SILENT;
        }

        @Override
        public boolean isThere() {
            return switch (now()) {
                case WELL, SLOW, SILENT -> true;
                case UNRELIABLE, DYING -> sim.random().nextBoolean();
                case DEAD -> false;
            };
        }

        private Duration pace() {
            return Duration.ofMillis(sim.random().nextInt(now() == SLOW ? SLOW_MILLIS : QUICK_MILLIS));
        }

        private <T> T any(List<T> choice) {
            return choice.get(sim.random().nextInt(choice.size()));
        }
    }
}
