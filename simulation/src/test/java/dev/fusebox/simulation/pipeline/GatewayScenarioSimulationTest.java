package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Many servers with their lives under one gateway, while its operator changes them: what is checked stands in
/// [GatewayScenario].
///
/// Over five seconds: 2,000 seeds; more with `-Dtown.seeds=100000`. A seed that fails is named and replayed with
/// `-Dfusebox.seed=N`.
class GatewayScenarioSimulationTest {
    private static final int SEEDS = Integer.getInteger("town.seeds", 2_000);
    private static final Limits LIMITS = new Limits(500_000, Duration.ofMinutes(1));

    @BeforeAll
    static void hush() {
        QuietLog.begin();
    }

    @Test
    void whatever_happens_everybody_comes_back_and_is_said_to_be_as_it_is() {
        Map<String, Integer> seen = new TreeMap<>();
        Seeds.Summary summary = Seeds.count(SEEDS).within(LIMITS).run(sim -> new GatewayScenario(sim, seen).begin());
        System.out.printf("%d seeds of the town: %s%n", summary.runs(), seen);
        assertThat(summary.runs() == 1
                        || seen.keySet()
                                .containsAll(List.of(
                                        "online",
                                        "restarting",
                                        "permanently_failed",
                                        "offline",
                                        "error",
                                        "disabled",
                                        "Crashed",
                                        "Restarted",
                                        "Recovered",
                                        "GivenUp",
                                        "Governed",
                                        "well and idle",
                                        "well and online",
                                        "answer")))
                .as("everything that can come up came up: %s", seen)
                .isTrue();
        assertThat(summary.differentTraces()).as("different runs").isGreaterThanOrEqualTo(summary.runs() * 9 / 10);
    }
}
