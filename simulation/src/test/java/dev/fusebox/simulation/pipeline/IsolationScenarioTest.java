package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.Outcome;
import dev.fusebox.simulation.pipeline.ProcessScript.CallAction;
import dev.fusebox.simulation.pipeline.ProcessScript.Reaction;
import dev.fusebox.simulation.pipeline.ProcessScript.Start;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that one server or caller does not affect the others. The one with ten thousand calls takes five seconds,
/// because only one thread of a simulation runs at a time.
@Tag("load")
class IsolationScenarioTest {
    private static final Limits CROWDED = new Limits(10_000_000, Duration.ofMinutes(2));

    @BeforeAll
    static void silenceLog() {
        QuietLog.begin();
    }

    @Test
    void ten_thousand_hanging_calls_at_one_server_do_not_affect_another() {
        List<String> beside = besideOneThat(CallAction.HANG);
        List<String> alone = besideOneThat(CallAction.ANSWER);

        assertThat(beside).isEqualTo(alone).hasSize(200).allMatch(seen -> seen.startsWith("ANSWERED"));
    }

    /// The results of callers of a healthy server, with their times, while another server does this.
    private static List<String> besideOneThat(CallAction action) {
        List<String> seen = new ArrayList<>();
        Simulation.run(7, CROWDED, sim -> {
            Breakers breakers = SingleServerScenario.breakers(sim);
            SingleServerScenario other = scenario(sim, breakers, "other", new Always(action));
            SingleServerScenario well = scenario(sim, breakers, "well", new HealthyServer(Duration.ofMillis(30)));
            for (int i = 0; i < 10_000; i++) {
                sim.spawn("outstanding", () -> other.call("write", Duration.ofMinutes(1)));
            }
            for (int i = 0; i < 200; i++) {
                well.pause(Duration.ofMillis(10));
                Outcome outcome = well.call();
                seen.add((outcome instanceof Outcome.Answered ? "ANSWERED " : "FAILED ") + sim.elapsed());
            }
        });
        return seen;
    }

    private static SingleServerScenario scenario(Simulation sim, Breakers breakers, String name, ProcessScript script) {
        return new SingleServerScenario(
                sim,
                SingleServerScenario.rules(name, false),
                new SimulatedServer(sim.platform(), name, script),
                breakers);
    }

    private record Always(CallAction action) implements ProcessScript {
        @Override
        public Start start() {
            return Start.WELL;
        }

        @Override
        public Reaction reaction(ServerCall serverCall) {
            return new Reaction(action, Duration.ofMillis(30));
        }
    }

    /// [CheckedPipeline] checks in every scenario that each response belongs to its caller.
    @Test
    void late_duplicate_and_foreign_responses_never_reach_a_wrong_caller() {
        Seeds.count(1).within(CROWDED).run(sim -> {
            SingleServerScenario scenario = new SingleServerScenario(
                    sim,
                    SingleServerScenario.rules("server", false),
                    new SimulatedServer(sim.platform(), "server", new Confusing(sim)));
            scenario.concurrently(64, number -> {
                for (int i = 0; i < 200; i++) {
                    scenario.call("tool " + number, Duration.ofMillis(100));
                }
            });
            long answered = scenario.pipeline().over().stream()
                    .filter(trackedCall -> trackedCall.outcome() instanceof Outcome.Answered)
                    .count();

            assertThat(scenario.pipeline().over()).hasSize(64 * 200);
            assertThat(answered).isBetween(64 * 100L, 64 * 199L);
        });
    }

    private record Confusing(Simulation sim) implements ProcessScript {
        private static final List<CallAction> CONFUSING =
                List.of(CallAction.ANSWER, CallAction.ANSWER_TWICE, CallAction.ANSWER_UNKNOWN_ID, CallAction.NOISE);

        @Override
        public Start start() {
            return Start.WELL;
        }

        @Override
        public Reaction reaction(ServerCall serverCall) {
            CallAction action = CONFUSING.get(sim.random().nextInt(CONFUSING.size()));
            // One in seven is late.
            return new Reaction(action, Duration.ofMillis(sim.random().nextInt(115)));
        }
    }
}
