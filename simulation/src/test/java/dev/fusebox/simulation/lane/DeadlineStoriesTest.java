package dev.fusebox.simulation.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Outcome;
import dev.fusebox.simulation.lane.ProcessScript.Birth;
import dev.fusebox.simulation.lane.ProcessScript.Deed;
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
        Quiet.begin();
    }

    @Test
    void a_call_to_a_server_that_reads_nothing_ends_with_its_time() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.process(sim, puppet);
            puppet.does(Deed.BLOCK);
            scene.call();
            Duration begun = sim.elapsed();

            assertThat(scene.call("write", Duration.ofMillis(100))).isInstanceOf(Outcome.Failed.class);
            assertThat(sim.elapsed().minus(begun)).isEqualTo(Duration.ofMillis(100));
        });
    }

    @Test
    void a_caller_that_leaves_while_a_server_reads_nothing_is_let_go_at_once() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.process(sim, puppet);
            puppet.does(Deed.BLOCK);
            scene.call();
            Waiting waiting = new Waiting(sim, Scene.LIMIT);
            waiting.leaveAfter(Duration.ofMillis(50));
            scene.call("write", waiting);

            assertThat(sim.elapsed().minus(waiting.begun())).isEqualTo(Duration.ofMillis(50));
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
        Puppet puppet = new Puppet();
        Scene scene = scene(sim, deed.toString(), puppet);
        scene.call();
        puppet.does(deed);
        endTogether(sim, scene);
    }

    private static void neverStarts(Simulation sim) throws InterruptedException {
        Puppet puppet = new Puppet();
        puppet.starts(new Birth(Birth.Kind.SILENT, Duration.ofMillis(20)));
        endTogether(sim, scene(sim, "silent", puppet));
    }

    private static Scene scene(Simulation sim, String name, Puppet puppet) {
        return new Scene(sim, Scene.rules(name, false), new SimulatedServer(sim.platform(), name, puppet));
    }

    /// 2,500 calls, whose deadlines lie within one second.
    private static void endTogether(Simulation sim, Scene scene) throws InterruptedException {
        Duration begun = sim.elapsed();
        scene.crowd(2_500, number -> {
            Duration limit = Duration.ofSeconds(5).plusNanos(number * HALF.toNanos() / 1_250);
            scene.call("write", limit);
        });
        List<WatchedLane.Passage> over = scene.lane().over();

        assertThat(over).hasSizeGreaterThanOrEqualTo(2_500);
        assertThat(sim.elapsed().minus(begun)).isLessThan(Duration.ofSeconds(7));
    }
}
