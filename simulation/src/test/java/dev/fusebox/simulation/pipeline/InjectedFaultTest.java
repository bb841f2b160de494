package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import dev.fusebox.testkit.SimulationFailure;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Tests that the simulation finds injected faults, and finds them again with the same seed, step by step.
class InjectedFaultTest {
    private static final int SEEDS = 200;

    @BeforeAll
    static void silenceLog() {
        QuietLog.begin();
    }

    @Test
    void response_to_another_call_is_found_and_replays() {
        assertThat(foundTwice(InjectedFault.MIX_UP)).hasMessageContaining("got the response of another call");
    }

    @Test
    void work_that_is_done_twice_is_found_and_replays() {
        assertThat(foundTwice(InjectedFault.RUN_TWICE)).hasMessageContaining("ran 2 times");
    }

    @Test
    void call_that_ends_late_is_found_and_replays() {
        assertThat(foundTwice(InjectedFault.OVERTIME)).hasMessageContaining("after its end");
    }

    private static SimulationFailure foundTwice(InjectedFault injectedFault) {
        Simulation.Scenario scenario = sim -> new PipelineScenario(sim, injectedFault, new Coverage()).begin();
        SimulationFailure found = catchThrowableOfType(
                SimulationFailure.class, () -> Seeds.from(0, SEEDS).run(scenario));
        SimulationFailure again =
                catchThrowableOfType(SimulationFailure.class, () -> Simulation.run(found.seed(), scenario));

        assertThat(again.trace()).isEqualTo(found.trace());
        assertThat(again).hasMessage(found.getMessage()).hasMessageContaining("-Dfusebox.seed=" + found.seed());
        return found;
    }
}
