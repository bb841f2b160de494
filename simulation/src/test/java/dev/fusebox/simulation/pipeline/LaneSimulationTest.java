package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Clients that leave, servers that crash, hang, answer late, twice or wrongly, and the real way between them:
/// whatever the seed, every call ends in time, runs at most once, and is counted once. What is checked stands in
/// [CheckedPipeline] and [PipelineScenario].
///
/// Over five seconds: 10,000 seeds; more with `-Dlane.seeds=1000000`. A seed that fails is named and replayed with
/// `-Dfusebox.seed=N`.
class LaneSimulationTest {
    private static final int SEEDS = Integer.getInteger("lane.seeds", 10_000);
    private static final int REPLAYED = Math.max(1, SEEDS / 100);
    private static final Limits LIMITS = new Limits(500_000, Duration.ofMinutes(1));

    @BeforeAll
    static void hush() {
        QuietLog.begin();
    }

    @Test
    void whatever_servers_and_clients_do_no_rule_of_the_pipeline_is_broken() {
        Platform real = Platform.system();
        Coverage coverage = new Coverage();
        long begun = real.ticker().nanos();
        Seeds.Summary summary = Seeds.count(SEEDS)
                .within(LIMITS)
                .run(sim -> new PipelineScenario(sim, InjectedFault.NONE, coverage).begin());
        double seconds = (real.ticker().nanos() - begun) / 1e9;

        System.out.printf(
                "%d seeds of the lane, %.0f a second: %s%n",
                summary.runs(), summary.runs() / seconds, coverage.counts());
        assertThat(summary.runs() == 1 || coverage.counts().keySet().containsAll(EnumSet.allOf(Coverage.Item.class)))
                .as("everything that can come up came up: %s", coverage.counts())
                .isTrue();
        assertThat(summary.differentTraces()).as("different runs").isGreaterThanOrEqualTo(summary.runs() * 9 / 10);
    }

    @Test
    void every_seed_replays_step_by_step() {
        Seeds.Summary summary = Seeds.from(1_000_000, REPLAYED)
                .within(LIMITS)
                .replayingEach()
                .run(sim -> new PipelineScenario(sim, InjectedFault.NONE, new Coverage()).begin());

        assertThat(summary.runs()).isPositive();
    }
}
