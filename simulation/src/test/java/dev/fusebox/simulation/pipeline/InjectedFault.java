package dev.fusebox.simulation.pipeline;

import dev.fusebox.testkit.Simulation;

/// A rule that a simulated part breaks on purpose, now and then, to see that it is found.
enum InjectedFault {
    NONE,
    /// A server gives one answer in fifty to another call.
    MIX_UP,
    /// A server does one piece of work in fifty twice.
    RUN_TWICE,
    /// A caller expects its call to end a second before the time that the lane is told.
    OVERTIME;

    ProcessScript on(Simulation sim, ProcessScript script) {
        return switch (this) {
            case NONE, OVERTIME -> script;
            case MIX_UP -> new Spoiled(sim, script, ProcessScript.Deed.ANSWER_WRONGLY);
            case RUN_TWICE -> new Spoiled(sim, script, ProcessScript.Deed.RUN_TWICE);
        };
    }

    /// @param wrong in place of one good answer in fifty
    private record Spoiled(Simulation sim, ProcessScript script, Deed wrong) implements ProcessScript {
        @Override
        public Birth birth() {
            return script.birth();
        }

        @Override
        public Act act(ServerCall serverCall) {
            Act act = script.act(serverCall);
            boolean isSpoiled = act.deed() == Deed.ANSWER && sim.random().nextInt(50) == 0;
            return isSpoiled ? new Act(wrong, act.after()) : act;
        }
    }
}
