package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Outcome;
import dev.fusebox.simulation.pipeline.ProcessScript.CallAction;
import dev.fusebox.simulation.pipeline.ProcessScript.Start;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Tests that every call ends by its deadline, whatever it waits for. [CheckedPipeline] checks the deadlines in
/// every scenario; these tests supply reasons to wait.
class DeadlineScenarioTest {
    private static final int SEEDS = 10;
    private static final Duration HALF = Duration.ofMillis(500);

    @BeforeAll
    static void silenceLog() {
        QuietLog.begin();
    }

    @Test
    void call_to_a_server_that_reads_nothing_times_out() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(CallAction.BLOCK);
            scenario.call();
            Duration begun = sim.elapsed();

            assertThat(scenario.call("write", Duration.ofMillis(100))).isInstanceOf(Outcome.Failed.class);
            assertThat(sim.elapsed().minus(begun)).isEqualTo(Duration.ofMillis(100));
        });
    }

    @Test
    void cancelled_call_to_a_server_that_reads_nothing_ends_at_once() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(CallAction.BLOCK);
            scenario.call();
            SimulatedWait simulatedWait = new SimulatedWait(sim, SingleServerScenario.LIMIT);
            simulatedWait.leaveAfter(Duration.ofMillis(50));
            scenario.call("write", simulatedWait);

            assertThat(sim.elapsed().minus(simulatedWait.begun())).isEqualTo(Duration.ofMillis(50));
        });
    }

    @Test
    void none_of_ten_thousand_deadlines_in_one_second_is_missed() {
        Limits limits = new Limits(5_000_000, Duration.ofMinutes(2));
        Seeds.count(1).within(limits).run(sim -> {
            hang(sim, CallAction.HANG);
            hang(sim, CallAction.BLOCK);
            hang(sim, CallAction.FREEZE);
            neverStarts(sim);
        });
    }

    private static void hang(Simulation sim, CallAction action) throws InterruptedException {
        ScriptedUpstream upstream = new ScriptedUpstream();
        SingleServerScenario scenario = scenario(sim, action.toString(), upstream);
        scenario.call();
        upstream.does(action);
        endTogether(sim, scenario);
    }

    private static void neverStarts(Simulation sim) throws InterruptedException {
        ScriptedUpstream upstream = new ScriptedUpstream();
        upstream.starts(new Start(Start.Kind.SILENT, Duration.ofMillis(20)));
        endTogether(sim, scenario(sim, "silent", upstream));
    }

    private static SingleServerScenario scenario(Simulation sim, String name, ScriptedUpstream upstream) {
        return new SingleServerScenario(
                sim, SingleServerScenario.rules(name, false), new SimulatedServer(sim.platform(), name, upstream));
    }

    /// 2,500 calls, whose deadlines lie within one second.
    private static void endTogether(Simulation sim, SingleServerScenario scenario) throws InterruptedException {
        Duration begun = sim.elapsed();
        scenario.concurrently(2_500, number -> {
            Duration limit = Duration.ofSeconds(5).plusNanos(number * HALF.toNanos() / 1_250);
            scenario.call("write", limit);
        });
        List<CheckedPipeline.TrackedCall> over = scenario.pipeline().over();

        assertThat(over).hasSizeGreaterThanOrEqualTo(2_500);
        assertThat(sim.elapsed().minus(begun)).isLessThan(Duration.ofSeconds(7));
    }
}
