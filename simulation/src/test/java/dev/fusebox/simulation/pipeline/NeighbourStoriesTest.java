package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.Outcome;
import dev.fusebox.simulation.pipeline.ProcessScript.Act;
import dev.fusebox.simulation.pipeline.ProcessScript.Birth;
import dev.fusebox.simulation.pipeline.ProcessScript.Deed;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What one server, or one caller, is to the others: nothing. The one with ten thousand calls takes five seconds,
/// for only one thread of a simulation runs at a time.
@Tag("load")
class NeighbourStoriesTest {
    private static final Limits CROWDED = new Limits(10_000_000, Duration.ofMinutes(2));

    @BeforeAll
    static void hush() {
        QuietLog.begin();
    }

    @Test
    void ten_thousand_calls_that_hang_at_one_server_change_nothing_for_another() {
        List<String> beside = besideOneThat(Deed.HANG);
        List<String> alone = besideOneThat(Deed.ANSWER);

        assertThat(beside).isEqualTo(alone).hasSize(200).allMatch(seen -> seen.startsWith("ANSWERED"));
    }

    /// What the callers of a server that is well see, and when, while another one does this.
    private static List<String> besideOneThat(Deed deed) {
        List<String> seen = new ArrayList<>();
        Simulation.run(7, CROWDED, sim -> {
            Breakers breakers = SingleServerScenario.breakers(sim);
            SingleServerScenario other = scenario(sim, breakers, "other", new Doing(deed));
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

    private record Doing(Deed deed) implements ProcessScript {
        @Override
        public Birth birth() {
            return Birth.WELL;
        }

        @Override
        public Act act(ServerCall serverCall) {
            return new Act(deed, Duration.ofMillis(30));
        }
    }

    /// That each answer is the caller's own is checked in every scene.
    @Test
    void late_double_and_foreign_answers_never_reach_the_wrong_one_of_64_callers() {
        Seeds.count(1).within(CROWDED).run(sim -> {
            SingleServerScenario scenario = new SingleServerScenario(
                    sim,
                    SingleServerScenario.rules("server", false),
                    new SimulatedServer(sim.platform(), "server", new Confusing(sim)));
            scenario.servers(64, number -> {
                for (int i = 0; i < 200; i++) {
                    scenario.call("tool " + number, Duration.ofMillis(100));
                }
            });
            long answered = scenario.pipeline().over().stream()
                    .filter(passage -> passage.outcome() instanceof Outcome.Answered)
                    .count();

            assertThat(scenario.pipeline().over()).hasSize(64 * 200);
            assertThat(answered).isBetween(64 * 100L, 64 * 199L);
        });
    }

    private record Confusing(Simulation sim) implements ProcessScript {
        private static final List<Deed> CONFUSING =
                List.of(Deed.ANSWER, Deed.ANSWER_TWICE, Deed.ANSWER_STRANGER, Deed.NOISE);

        @Override
        public Birth birth() {
            return Birth.WELL;
        }

        @Override
        public Act act(ServerCall serverCall) {
            Deed deed = CONFUSING.get(sim.random().nextInt(CONFUSING.size()));
            // Of seven one is late.
            return new Act(deed, Duration.ofMillis(sim.random().nextInt(115)));
        }
    }
}
