package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Outcome;
import dev.fusebox.simulation.pipeline.ProcessScript.Birth;
import dev.fusebox.simulation.pipeline.ProcessScript.Deed;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Every call ends by its deadline, whatever it waits for. That no call ends later than that is checked in every
/// scene; the stories see to it that there is something to wait for.
class DeadlineStoriesTest {
    private static final int SEEDS = 10;
    private static final Duration HALF = Duration.ofMillis(500);

    @BeforeAll
    static void hush() {
        QuietLog.begin();
    }

    @Test
    void a_call_to_a_server_that_reads_nothing_ends_with_its_time() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(Deed.BLOCK);
            scenario.call();
            Duration begun = sim.elapsed();

            assertThat(scenario.call("write", Duration.ofMillis(100))).isInstanceOf(Outcome.Failed.class);
            assertThat(sim.elapsed().minus(begun)).isEqualTo(Duration.ofMillis(100));
        });
    }

    @Test
    void a_caller_that_leaves_while_a_server_reads_nothing_is_let_go_at_once() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(Deed.BLOCK);
            scenario.call();
            SimulatedWait simulatedWait = new SimulatedWait(sim, SingleServerScenario.LIMIT);
            simulatedWait.leaveAfter(Duration.ofMillis(50));
            scenario.call("write", simulatedWait);

            assertThat(sim.elapsed().minus(simulatedWait.begun())).isEqualTo(Duration.ofMillis(50));
        });
    }

    @Test
    void of_ten_thousand_deadlines_in_one_second_none_is_missed() {
        Limits limits = new Limits(5_000_000, Duration.ofMinutes(2));
        Seeds.count(1).within(limits).run(sim -> {
            hang(sim, Deed.HANG);
            hang(sim, Deed.BLOCK);
            hang(sim, Deed.FREEZE);
            neverStarts(sim);
        });
    }

    private static void hang(Simulation sim, Deed deed) throws InterruptedException {
        ScriptedUpstream upstream = new ScriptedUpstream();
        SingleServerScenario scenario = scenario(sim, deed.toString(), upstream);
        scenario.call();
        upstream.does(deed);
        endTogether(sim, scenario);
    }

    private static void neverStarts(Simulation sim) throws InterruptedException {
        ScriptedUpstream upstream = new ScriptedUpstream();
        upstream.starts(new Birth(Birth.Kind.SILENT, Duration.ofMillis(20)));
        endTogether(sim, scenario(sim, "silent", upstream));
    }

    private static SingleServerScenario scenario(Simulation sim, String name, ScriptedUpstream upstream) {
        return new SingleServerScenario(
                sim, SingleServerScenario.rules(name, false), new SimulatedServer(sim.platform(), name, upstream));
    }

    /// 2,500 calls, whose deadlines lie within one second.
    private static void endTogether(Simulation sim, SingleServerScenario scenario) throws InterruptedException {
        Duration begun = sim.elapsed();
        scenario.servers(2_500, number -> {
            Duration limit = Duration.ofSeconds(5).plusNanos(number * HALF.toNanos() / 1_250);
            scenario.call("write", limit);
        });
        List<CheckedPipeline.Passage> over = scenario.pipeline().over();

        assertThat(over).hasSizeGreaterThanOrEqualTo(2_500);
        assertThat(sim.elapsed().minus(begun)).isLessThan(Duration.ofSeconds(7));
    }
}
