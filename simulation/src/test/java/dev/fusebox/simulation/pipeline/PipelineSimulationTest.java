package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Random tests of the real call pipeline between clients that cancel and servers that crash, hang, answer late,
/// twice or wrongly: every call ends in time, runs at most once, and is counted once. [CheckedPipeline] and
/// [PipelineScenario] check that.
///
/// Takes over five seconds: 10,000 seeds; more with `-Dpipeline.seeds=1000000`. A seed that fails is named and
/// replayed with `-Dfusebox.seed=N`.
class PipelineSimulationTest {
    private static final int SEEDS = Integer.getInteger("pipeline.seeds", 10_000);
    private static final int REPLAYED = Math.max(1, SEEDS / 100);
    private static final Limits LIMITS = new Limits(500_000, Duration.ofMinutes(1));

    @BeforeAll
    static void silenceLog() {
        QuietLog.begin();
    }

    @Test
    void no_invariant_of_the_pipeline_is_broken() {
        Platform real = Platform.system();
        Coverage coverage = new Coverage();
        long begun = real.ticker().nanos();
        Seeds.Summary summary = Seeds.count(SEEDS)
                .within(LIMITS)
                .run(sim -> new PipelineScenario(sim, InjectedFault.NONE, coverage).begin());
        double seconds = (real.ticker().nanos() - begun) / 1e9;

        System.out.printf(
                "%d seeds of the pipeline, %.0f per second: %s%n",
                summary.runs(), summary.runs() / seconds, coverage.counts());
        assertThat(summary.runs() == 1 || coverage.counts().keySet().containsAll(EnumSet.allOf(Coverage.Item.class)))
                .as("every event has occurred: %s", coverage.counts())
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
