package dev.fusebox.simulation.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.simulation.lane.ProcessScript.Birth;
import dev.fusebox.simulation.lane.ProcessScript.Deed;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// However a probe ends, a later call is let in. Endings in the normal run: 10,000; more with
/// `-Dprobe.endings=100000`.
class ProbeStoriesTest {
    private static final int ENDINGS = Integer.getInteger("probe.endings", 10_000);
    private static final int EACH = 500;
    private static final Duration COOLDOWN = Duration.ofSeconds(1);

    /// Longer than the cooldown, than every lease, which is the time of the call and that of a ping and a second
    /// more, and than a handshake may take.
    private static final Duration QUIET = COOLDOWN.plus(Scene.LIMIT).plusSeconds(2 + 1 + 10);

    @BeforeAll
    static void hush() {
        Quiet.begin();
    }

    @Test
    void however_a_probe_ends_a_later_call_is_let_in() {
        Seeds.count(Math.max(1, ENDINGS / EACH))
                .within(new Limits(1_000_000, Duration.ofMinutes(2)))
                .run(sim -> {
                    Puppet puppet = new Puppet();
                    SimulatedServer server = new SimulatedServer(sim.platform(), "server", puppet);
                    Scene scene = new Scene(sim, rules(sim), server);
                    for (int i = 0; i < EACH; i++) {
                        open(scene, puppet, server);
                        probe(sim, scene, puppet);
                        isLetIn(scene, puppet, server);
                    }
                });
    }

    private static PipelineRules rules(Simulation sim) {
        int probes = sim.random().nextInt(1, 4);
        return Scene.rules("server", false)
                .with(BreakerPolicy.defaults()
                        .with(new TripRule.Consecutive(1))
                        .with(Cooldown.fixed(COOLDOWN))
                        .with(new HalfOpen(probes, sim.random().nextInt(1, probes + 1))));
    }

    private static void open(Scene scene, Puppet puppet, SimulatedServer server) {
        puppet.starts(Birth.DEAD);
        server.crash();
        scene.pause(COOLDOWN);
        scene.call();
        assertThat(scene.state()).isEqualTo(State.OPEN);
        puppet.recovers();
        scene.pause(COOLDOWN);
    }

    /// Half of the probes have to start the server first.
    private static void probe(Simulation sim, Scene scene, Puppet puppet) {
        Birth.Kind[] births = Birth.Kind.values();
        Deed[] deeds = Deed.values();
        if (sim.random().nextInt(4) == 0) {
            puppet.starts(new Birth(births[sim.random().nextInt(births.length)], Duration.ofMillis(300)));
        }
        do {
            puppet.does(deeds[sim.random().nextInt(deeds.length)]);
        } while (isNoServers(puppet));
        puppet.takes(Duration.ofMillis(sim.random().nextInt(4_000)));
        Waiting waiting = new Waiting(sim, Scene.LIMIT);
        if (sim.random().nextInt(3) == 0) {
            waiting.leaveAfter(Duration.ofMillis(sim.random().nextInt(3_000)));
        }
        scene.call("tool", waiting);
    }

    /// What only serves to test the tests.
    private static boolean isNoServers(Puppet puppet) {
        Deed deed = puppet.act(new Job(0, "")).deed();
        return deed == Deed.ANSWER_WRONGLY || deed == Deed.RUN_TWICE;
    }

    private static void isLetIn(Scene scene, Puppet puppet, SimulatedServer server) {
        scene.pause(QUIET);
        puppet.recovers();
        server.follow(puppet);
        for (int i = 0; i < scene.breaker().policy().halfOpen().successesToClose(); i++) {
            assertThat(scene.call()).isInstanceOf(Outcome.Answered.class);
        }
        assertThat(scene.state()).isEqualTo(State.CLOSED);
    }
}
