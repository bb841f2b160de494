package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerEvent.StateChange;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
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

/// Tests of the load that many callers put on a server that is down, or that recovers. Some take five seconds and
/// more: a hundred thousand calls are made, one after the other, because only one thread of a simulation runs at a
/// time.
@Tag("load")
class OutageScenarioTest {
    /// Many callers take many steps.
    private static final Limits MANY_CALLERS = new Limits(10_000_000, Duration.ofMinutes(2));

    private static final int SEEDS = 3;
    private static final Duration SECOND = Duration.ofSeconds(1);

    @BeforeAll
    static void silenceLog() {
        QuietLog.begin();
    }

    @Test
    void server_that_crashes_at_start_is_started_as_often_as_its_breaker_allows() {
        Seeds.count(1).within(MANY_CALLERS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.starts(Start.DEAD);
            scenario.concurrently(10_000, number -> {
                for (int i = 0; i < 10; i++) {
                    scenario.call();
                }
            });

            assertThat(scenario.journal().starts()).isEqualTo(SingleServerScenario.THRESHOLD);
            assertThat(scenario.journal().maxStarting()).isOne();
            assertThat(scenario.pipeline().over()).hasSize(100_000);
            assertThat(scenario.state()).isEqualTo(State.OPEN);
        });
    }

    @Test
    void open_breaker_refuses_ten_thousand_callers_without_touching_the_server() {
        Seeds.count(1).within(MANY_CALLERS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = opened(sim, upstream);
            int before = scenario.journal().work();
            for (int seconds = 1; seconds < 30; seconds += 7) {
                Duration begun = sim.elapsed();
                scenario.concurrently(10_000, number -> {
                    assertThat(SingleServerScenario.failure(scenario.call()).code())
                            .isEqualTo(ErrorCode.BREAKER_OPEN);
                    assertThat(sim.elapsed()).isEqualTo(begun);
                });
                scenario.pause(SECOND.multipliedBy(6));
            }
            assertThat(scenario.journal().work()).isEqualTo(before);
        });
    }

    /// A server that does not start, and whose breaker has just opened.
    private static SingleServerScenario opened(Simulation sim, ScriptedUpstream upstream) {
        SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
        upstream.starts(Start.DEAD);
        scenario.calls(SingleServerScenario.THRESHOLD);
        assertThat(scenario.state()).isEqualTo(State.OPEN);
        return scenario;
    }

    @Test
    void exactly_one_of_a_thousand_callers_reaches_the_server_after_the_cooldown() {
        Seeds.count(SEEDS).within(MANY_CALLERS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = opened(sim, upstream);
            int starts = scenario.journal().starts();
            upstream.recovers();
            upstream.takes(SECOND.multipliedBy(2));
            scenario.pause(SingleServerScenario.COOLDOWN);
            Duration over = sim.elapsed();
            List<Outcome> outcomes = new ArrayList<>();
            scenario.concurrently(1_000, number -> outcomes.add(scenario.call()));

            assertThat(scenario.journal().calls()).isOne();
            assertThat(scenario.journal().starts()).isEqualTo(starts + 1);
            assertThat(outcomes.stream().filter(Outcome.Answered.class::isInstance))
                    .hasSize(1);
            assertThat(sim.elapsed().minus(over)).isLessThan(SingleServerScenario.LIMIT);
            assertThat(scenario.state()).isEqualTo(State.CLOSED);
        });
    }

    @Test
    void slow_start_protects_a_recovering_server_from_a_thundering_herd() {
        Seeds.count(1).within(MANY_CALLERS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SlowStarter slowStarter = new SlowStarter(upstream);
            SimulatedServer server = new SimulatedServer(sim.platform(), "server", slowStarter);
            SingleServerScenario scenario =
                    new SingleServerScenario(sim, SingleServerScenario.rules("server", false), server);
            upstream.starts(Start.DEAD);
            slowStarter.journal = server.journal();
            poll(sim, scenario, () -> {
                scenario.pause(SECOND.multipliedBy(20));
                upstream.recovers();
            });

            assertThat(slowStarter.overrun)
                    .as("more concurrent calls than it can handle")
                    .isZero();
            assertThat(scenario.state()).isEqualTo(State.CLOSED);
            assertThat(scenario.journal().maxUnderWay())
                    .as("finally all calls are admitted")
                    .isGreaterThan(100);
        });
    }

    /// A thousand callers poll for forty seconds.
    private static void poll(Simulation sim, SingleServerScenario scenario, Runnable meanwhile)
            throws InterruptedException {
        sim.spawn("meanwhile", meanwhile::run);
        scenario.concurrently(1_000, number -> {
            while (sim.elapsed().compareTo(Duration.ofSeconds(40)) < 0) {
                scenario.call();
                scenario.pause(Duration.ofMillis(500 + sim.random().nextInt(1_000)));
            }
        });
    }

    /// Handles one call after its start, and twice as many with each call that it has begun; one too many crashes
    /// it.
    private static final class SlowStarter implements ProcessScript {
        private final ScriptedUpstream upstream;
        private ServerJournal journal = new ServerJournal();
        private int answered;
        private int overrun;

        private SlowStarter(ScriptedUpstream upstream) {
            this.upstream = upstream;
        }

        @Override
        public Start start() {
            answered = 0;
            return upstream.start();
        }

        @Override
        public Reaction reaction(ServerCall serverCall) {
            boolean isTooMuch = journal.underWay() > 1L << Math.min(answered, 30);
            overrun += isTooMuch ? 1 : 0;
            answered++;
            return new Reaction(isTooMuch ? CallAction.CRASH_AFTER : CallAction.ANSWER, Duration.ofMillis(200));
        }
    }

    @Test
    void clients_that_retry_everything_put_hardly_any_load_on_a_server_that_is_down() {
        Seeds.count(SEEDS).within(MANY_CALLERS).run(sim -> {
            Load load = load(sim, BreakerPolicy.defaults());

            assertThat(load.overall()).isLessThanOrEqualTo(1.10);
            assertThat(load.worstTenSeconds()).isLessThanOrEqualTo(1.2);
        });
    }

    /// Ten initially, a tenth of the calls and one per second: the retry budget.
    @Test
    void retry_budget_alone_limits_retries_to_a_tenth_of_the_calls() {
        Seeds.count(SEEDS).within(MANY_CALLERS).run(sim -> {
            Load load = load(sim, BreakerPolicy.defaults().with(new TripRule.Consecutive(1_000_000)));

            assertThat(load.worstTenSeconds()).isBetween(1.05, 1.2);
        });
    }

    /// Two hundred calls a second for half a minute, each retried three times when it fails.
    private static Load load(Simulation sim, BreakerPolicy policy) throws InterruptedException {
        ScriptedUpstream upstream = new ScriptedUpstream();
        upstream.replies(SimulatedSite.CallAction.REFUSED);
        SimulatedSite site = new SimulatedSite(sim.platform(), "server", upstream);
        SingleServerScenario scenario = new SingleServerScenario(
                sim, SingleServerScenario.rules("server", true).with(policy), site);
        Load load = new Load();
        scenario.concurrently(6_000, number -> {
            scenario.pause(Duration.ofMillis(5L * number));
            for (int i = 0; i < 4; i++) {
                load.note(sim.elapsed(), scenario.journal().work());
                scenario.call();
            }
        });
        load.note(sim.elapsed(), scenario.journal().work());
        return load;
    }

    /// Calls of clients, and the work of the server, second by second. For the threads of one simulation.
    private static final class Load {
        private final int[] calls = new int[120];
        private final int[] work = new int[120];
        private int total;

        void note(Duration now, int workSoFar) {
            int second = (int) now.toSeconds();
            calls[second]++;
            work[second] += workSoFar - total;
            total = workSoFar;
        }

        double overall() {
            return ratio(0, calls.length);
        }

        double worstTenSeconds() {
            double worst = 0;
            for (int from = 0; from <= 20; from++) {
                worst = Math.max(worst, ratio(from, from + 10));
            }
            return worst;
        }

        private double ratio(int from, int to) {
            double all = 0;
            double worked = 0;
            for (int second = from; second < to; second++) {
                all += calls[second];
                worked += work[second];
            }
            return all == 0 ? 0 : worked / all;
        }
    }

    @Test
    void flapping_server_is_probed_less_and_less() {
        Seeds.count(SEEDS).within(MANY_CALLERS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SimulatedServer server = new SimulatedServer(sim.platform(), "server", upstream);
            SingleServerScenario scenario =
                    new SingleServerScenario(sim, SingleServerScenario.rules("server", false), server);
            sim.spawn("weather", () -> flap(sim, scenario, server, upstream));
            List<Duration> cooldowns = new ArrayList<>();
            scenario.breaker().on(StateChange.class, change -> {
                if (change.to() == State.OPEN) {
                    cooldowns.add(scenario.breaker().snapshot().cooldown());
                }
            });
            scenario.concurrently(20, number -> {
                while (sim.elapsed().compareTo(Duration.ofMinutes(10)) < 0) {
                    scenario.call();
                    scenario.pause(Duration.ofMillis(400 + sim.random().nextInt(200)));
                }
            });

            assertThat(cooldowns.getFirst()).isEqualTo(SingleServerScenario.COOLDOWN);
            assertThat(cooldowns.getLast()).isGreaterThanOrEqualTo(SingleServerScenario.COOLDOWN.multipliedBy(4));
            assertThat(cooldowns).isSorted().hasSizeLessThan(8);
        });
    }

    /// Ten seconds healthy, ten seconds down.
    private static void flap(
            Simulation sim, SingleServerScenario scenario, SimulatedServer server, ScriptedUpstream upstream) {
        while (sim.elapsed().compareTo(Duration.ofMinutes(10)) < 0) {
            upstream.recovers();
            scenario.pause(SECOND.multipliedBy(10));
            upstream.starts(Start.DEAD);
            server.crash();
            scenario.pause(SECOND.multipliedBy(10));
        }
    }
}
