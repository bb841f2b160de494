package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.routing.ReloadAction;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Random tests of a gateway with many servers while its operator changes them; [GatewayScenario] lists the
/// invariants.
///
/// Takes over five seconds: 2,000 seeds; more with `-Dscenario.seeds=100000`. A seed that fails is named and
/// replayed with `-Dfusebox.seed=N`.
class GatewayScenarioSimulationTest {
    private static final int SEEDS = Integer.getInteger("scenario.seeds", 2_000);
    private static final Limits LIMITS = new Limits(500_000, Duration.ofMinutes(1));

    @BeforeAll
    static void silenceLog() {
        QuietLog.begin();
    }

    @Test
    void every_server_recovers_and_its_status_is_correct() {
        Map<String, Integer> seen = new TreeMap<>();
        Seeds.Summary summary = Seeds.count(SEEDS).within(LIMITS).run(sim -> new GatewayScenario(sim, seen).begin());
        System.out.printf("%d seeds of the gateway scenario: %s%n", summary.runs(), seen);
        if (summary.runs() > 1) {
            assertThat(seen)
                    .containsKeys(
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
                            ReloadAction.RulesChanged.class.getSimpleName(),
                            "healthy and idle",
                            "healthy and online",
                            "answer");
        }
        assertThat(summary.differentTraces()).as("different runs").isGreaterThanOrEqualTo(summary.runs() * 9 / 10);
    }
}
