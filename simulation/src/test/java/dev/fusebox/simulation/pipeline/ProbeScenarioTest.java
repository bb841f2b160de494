package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.simulation.pipeline.ProcessScript.CallAction;
import dev.fusebox.simulation.pipeline.ProcessScript.Start;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Tests that a later call is admitted however a probe ends. Normally 10,000 probes; more with
/// `-Dprobe.endings=100000`.
///
/// Over five seconds: the number of probes.
class ProbeScenarioTest {
    private static final int ENDINGS = Integer.getInteger("probe.endings", 10_000);
    private static final int EACH = 500;
    private static final Duration COOLDOWN = Duration.ofSeconds(1);

    /// Longer than the cooldown, than every lease (the time limit of the call plus a ping and a second), and than
    /// a handshake may take.
    private static final Duration QUIET =
            COOLDOWN.plus(SingleServerScenario.LIMIT).plusSeconds(2 + 1 + 10);

    @BeforeAll
    static void silenceLog() {
        QuietLog.begin();
    }

    @Test
    void later_call_is_admitted_after_every_end_of_a_probe() {
        Seeds.count(Math.max(1, ENDINGS / EACH))
                .within(new Limits(1_000_000, Duration.ofMinutes(2)))
                .run(sim -> {
                    ScriptedUpstream upstream = new ScriptedUpstream();
                    SimulatedServer server = new SimulatedServer(sim.platform(), "server", upstream);
                    SingleServerScenario scenario = new SingleServerScenario(sim, rules(sim), server);
                    for (int i = 0; i < EACH; i++) {
                        open(scenario, upstream, server);
                        probe(sim, scenario, upstream);
                        isLetIn(scenario, upstream, server);
                    }
                });
    }

    private static PipelineRules rules(Simulation sim) {
        int probes = sim.random().nextInt(1, 4);
        return SingleServerScenario.rules("server", false)
                .with(BreakerPolicy.defaults()
                        .with(new TripRule.Consecutive(1))
                        .with(Cooldown.fixed(COOLDOWN))
                        .with(new HalfOpen(probes, sim.random().nextInt(1, probes + 1))));
    }

    private static void open(SingleServerScenario scenario, ScriptedUpstream upstream, SimulatedServer server) {
        upstream.starts(Start.DEAD);
        server.crash();
        scenario.pause(COOLDOWN);
        scenario.call();
        assertThat(scenario.state()).isEqualTo(State.OPEN);
        upstream.recovers();
        scenario.pause(COOLDOWN);
    }

    /// Half of the probes have to start the server first.
    private static void probe(Simulation sim, SingleServerScenario scenario, ScriptedUpstream upstream) {
        Start.Kind[] births = Start.Kind.values();
        CallAction[] deeds = CallAction.values();
        if (sim.random().nextInt(4) == 0) {
            upstream.starts(new Start(births[sim.random().nextInt(births.length)], Duration.ofMillis(300)));
        }
        do {
            upstream.does(deeds[sim.random().nextInt(deeds.length)]);
        } while (isNoServers(upstream));
        upstream.takes(Duration.ofMillis(sim.random().nextInt(4_000)));
        SimulatedWait simulatedWait = new SimulatedWait(sim, SingleServerScenario.LIMIT);
        if (sim.random().nextInt(3) == 0) {
            simulatedWait.leaveAfter(Duration.ofMillis(sim.random().nextInt(3_000)));
        }
        scenario.call("tool", simulatedWait);
    }

    /// Deeds that only serve to verify the checks.
    private static boolean isNoServers(ScriptedUpstream upstream) {
        CallAction action = upstream.reaction(new ServerCall(0, "")).action();
        return action == CallAction.ANSWER_WRONGLY || action == CallAction.RUN_TWICE;
    }

    private static void isLetIn(SingleServerScenario scenario, ScriptedUpstream upstream, SimulatedServer server) {
        scenario.pause(QUIET);
        upstream.recovers();
        server.follow(upstream);
        for (int i = 0; i < scenario.breaker().policy().halfOpen().successesToClose(); i++) {
            assertThat(scenario.call()).isInstanceOf(Outcome.Answered.class);
        }
        assertThat(scenario.state()).isEqualTo(State.CLOSED);
    }
}
