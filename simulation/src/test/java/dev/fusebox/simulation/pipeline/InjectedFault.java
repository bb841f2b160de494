package dev.fusebox.simulation.pipeline;

import dev.fusebox.testkit.Simulation;

/// A fault that a simulated component injects now and then, to verify that the checks find it.
enum InjectedFault {
    NONE,
    /// A server returns one response in fifty to another call.
    MIX_UP,
    /// A server does one piece of work in fifty twice.
    RUN_TWICE,
    /// A caller expects its call to end a second before the time limit that the pipeline gets.
    OVERTIME;

    ProcessScript on(Simulation sim, ProcessScript script) {
        return switch (this) {
            case NONE, OVERTIME -> script;
            case MIX_UP -> new Spoiled(sim, script, ProcessScript.CallAction.ANSWER_WRONGLY);
            case RUN_TWICE -> new Spoiled(sim, script, ProcessScript.CallAction.RUN_TWICE);
        };
    }

    /// @param wrong replaces one successful response in fifty
    private record Spoiled(Simulation sim, ProcessScript script, CallAction wrong) implements ProcessScript {
        @Override
        public Start start() {
            return script.start();
        }

        @Override
        public Reaction reaction(ServerCall serverCall) {
            Reaction reaction = script.reaction(serverCall);
            boolean isSpoiled =
                    reaction.action() == CallAction.ANSWER && sim.random().nextInt(50) == 0;
            return isSpoiled ? new Reaction(wrong, reaction.after()) : reaction;
        }
    }
}
