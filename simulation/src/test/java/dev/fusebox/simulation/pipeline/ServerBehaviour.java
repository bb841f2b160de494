package dev.fusebox.simulation.pipeline;

import dev.fusebox.simulation.pipeline.ProcessScript.Act;
import dev.fusebox.simulation.pipeline.ProcessScript.Birth;
import dev.fusebox.simulation.pipeline.ProcessScript.Deed;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.List;

/// How a server is, for a while. What it does then is drawn from the seed.
enum ServerBehaviour {
    WELL,
    /// One call in two goes wrong somehow.
    MOODY,
    /// It ends with every other call, and does not always start.
    DYING,
    /// Nothing is answered.
    SILENT,
    /// Answers come, mostly after somebody stopped waiting.
    SLOW,
    /// It does not even start.
    DEAD;

    private static final List<Deed> BAD = List.of(
            Deed.ANSWER_TWICE,
            Deed.ANSWER_STRANGER,
            Deed.NOISE,
            Deed.TOOL_ERROR,
            Deed.ERROR,
            Deed.HANG,
            Deed.FREEZE,
            Deed.BLOCK,
            Deed.CRASH_BEFORE,
            Deed.CRASH_AFTER);

    private static final List<Birth.Kind> BAD_STARTS = List.of(
            Birth.Kind.NOT_FOUND,
            Birth.Kind.SHORTAGE,
            Birth.Kind.DIES,
            Birth.Kind.DIES_SHAKING,
            Birth.Kind.SILENT,
            Birth.Kind.REFUSES);

    private static final List<SimulatedSite.Deed> BAD_REPLIES = List.of(
            SimulatedSite.Deed.BROKEN,
            SimulatedSite.Deed.BAD_GATEWAY,
            SimulatedSite.Deed.UNAUTHORIZED,
            SimulatedSite.Deed.TOO_MANY,
            SimulatedSite.Deed.REFUSED,
            SimulatedSite.Deed.RESET,
            SimulatedSite.Deed.HANG,
            SimulatedSite.Deed.TOOL_ERROR,
            SimulatedSite.Deed.ERROR);

    private static final int QUICK_MILLIS = 800;
    private static final int SLOW_MILLIS = 60_000;

    /// A few moods, one after the other, drawn from the seed; after them it is well.
    static Weather of(Simulation sim) {
        ServerBehaviour[] behaviours = new ServerBehaviour[sim.random().nextInt(1, 5)];
        for (int i = 0; i < behaviours.length; i++) {
            behaviours[i] = values()[sim.random().nextInt(values().length)];
        }
        Duration each = Duration.ofSeconds(sim.random().nextInt(5, 60));
        return new Weather(sim, List.of(behaviours), each);
    }

    /// The moods of one server.
    record Weather(Simulation sim, List<ServerBehaviour> behaviours, Duration each)
            implements ProcessScript, SimulatedSite.Script {
        private ServerBehaviour now() {
            long at = sim.elapsed().dividedBy(each);
            return at < behaviours.size() ? behaviours.get((int) at) : WELL;
        }

        @Override
        public Birth birth() {
            Duration takes = Duration.ofMillis(sim.random().nextInt(1, 1_500));
            boolean isBad = switch (now()) {
                case WELL, SLOW -> false;
                case MOODY, SILENT -> sim.random().nextInt(4) == 0;
                case DYING -> sim.random().nextBoolean();
                case DEAD -> true;
            };
            return new Birth(isBad ? any(BAD_STARTS) : Birth.Kind.WELL, takes);
        }

        @Override
        public Act act(ServerCall serverCall) {
            Deed deed = switch (now()) {
                case WELL, SLOW -> Deed.ANSWER;
                case MOODY -> sim.random().nextBoolean() ? Deed.ANSWER : any(BAD);
                case DYING -> sim.random().nextBoolean() ? Deed.ANSWER : Deed.CRASH_AFTER;
                case SILENT -> sim.random().nextBoolean() ? Deed.HANG : Deed.FREEZE;
                case DEAD -> Deed.CRASH_BEFORE;
            };
            return new Act(deed, pace());
        }

        @Override
        public SimulatedSite.Act site(ServerCall serverCall) {
            SimulatedSite.Deed deed = switch (now()) {
                case WELL, SLOW -> SimulatedSite.Deed.ANSWER;
                case MOODY, DYING -> sim.random().nextBoolean() ? SimulatedSite.Deed.ANSWER : any(BAD_REPLIES);
                case SILENT -> SimulatedSite.Deed.HANG;
                case DEAD -> SimulatedSite.Deed.REFUSED;
            };
            return new SimulatedSite.Act(deed, pace());
        }

        @Override
        public boolean isAwake() {
            return now() != SILENT;
        }

        @Override
        public boolean isThere() {
            return switch (now()) {
                case WELL, SLOW, SILENT -> true;
                case MOODY, DYING -> sim.random().nextBoolean();
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
