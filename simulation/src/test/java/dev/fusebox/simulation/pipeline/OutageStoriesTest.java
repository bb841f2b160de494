package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerEvent.StateChange;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.simulation.pipeline.ProcessScript.Birth;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a crowd of callers does to a server that is down, and to one that comes back: little. Some take five
/// seconds and more: a hundred thousand calls are made, one after the other, for only one thread of a simulation
/// runs at a time.
@Tag("load")
class OutageStoriesTest {
    /// Crowds take many steps.
    private static final Limits CROWDED = new Limits(10_000_000, Duration.ofMinutes(2));

    private static final int SEEDS = 3;
    private static final Duration SECOND = Duration.ofSeconds(1);

    @BeforeAll
    static void hush() {
        QuietLog.begin();
    }

    @Test
    void ten_thousand_callers_of_a_server_that_dies_at_start_start_it_as_often_as_its_breaker_allows() {
        Seeds.count(1).within(CROWDED).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.starts(Birth.DEAD);
            scenario.servers(10_000, number -> {
                for (int i = 0; i < 10; i++) {
                    scenario.call();
                }
            });

            assertThat(scenario.journal().starts()).isEqualTo(SingleServerScenario.THRESHOLD);
            assertThat(scenario.journal().mostStarting()).isOne();
            assertThat(scenario.pipeline().over()).hasSize(100_000);
            assertThat(scenario.state()).isEqualTo(State.OPEN);
        });
    }

    @Test
    void ten_thousand_callers_of_an_open_breaker_are_refused_at_once_and_nothing_is_touched() {
        Seeds.count(1).within(CROWDED).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = opened(sim, upstream);
            int before = scenario.journal().work();
            for (int seconds = 1; seconds < 30; seconds += 7) {
                Duration begun = sim.elapsed();
                scenario.servers(10_000, number -> {
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
        upstream.starts(Birth.DEAD);
        scenario.calls(SingleServerScenario.THRESHOLD);
        assertThat(scenario.state()).isEqualTo(State.OPEN);
        return scenario;
    }

    @Test
    void of_a_thousand_callers_at_the_end_of_a_cooldown_exactly_one_reaches_the_server() {
        Seeds.count(SEEDS).within(CROWDED).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = opened(sim, upstream);
            int starts = scenario.journal().starts();
            upstream.recovers();
            upstream.takes(SECOND.multipliedBy(2));
            scenario.pause(SingleServerScenario.COOLDOWN);
            Duration over = sim.elapsed();
            List<Outcome> outcomes = new ArrayList<>();
            scenario.servers(1_000, number -> outcomes.add(scenario.call()));

            assertThat(scenario.journal().calls()).isOne();
            assertThat(scenario.journal().starts()).isEqualTo(starts + 1);
            assertThat(outcomes.stream().filter(Outcome.Answered.class::isInstance))
                    .hasSize(1);
            assertThat(sim.elapsed().minus(over)).isLessThan(SingleServerScenario.LIMIT);
            assertThat(scenario.state()).isEqualTo(State.CLOSED);
        });
    }

    @Test
    void a_server_that_wakes_slowly_is_let_wake_and_finds_no_herd_at_its_door() {
        Seeds.count(1).within(CROWDED).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            Sleepy sleepy = new Sleepy(upstream);
            SimulatedServer server = new SimulatedServer(sim.platform(), "server", sleepy);
            SingleServerScenario scenario =
                    new SingleServerScenario(sim, SingleServerScenario.rules("server", false), server);
            upstream.starts(Birth.DEAD);
            sleepy.journal = server.journal();
            poll(sim, scenario, () -> {
                scenario.pause(SECOND.multipliedBy(20));
                upstream.recovers();
            });

            assertThat(sleepy.overrun).as("more at once than it could bear").isZero();
            assertThat(scenario.state()).isEqualTo(State.CLOSED);
            assertThat(scenario.journal().mostUnderWay())
                    .as("in the end all come in")
                    .isGreaterThan(100);
        });
    }

    /// A thousand callers poll for forty seconds.
    private static void poll(Simulation sim, SingleServerScenario scenario, Runnable meanwhile)
            throws InterruptedException {
        sim.spawn("meanwhile", meanwhile::run);
        scenario.servers(1_000, number -> {
            while (sim.elapsed().compareTo(Duration.ofSeconds(40)) < 0) {
                scenario.call();
                scenario.pause(Duration.ofMillis(500 + sim.random().nextInt(1_000)));
            }
        });
    }

    /// Bears one call after its start, and twice as many with each that it has begun; one too many is its end.
    private static final class Sleepy implements ProcessScript {
        private final ScriptedUpstream upstream;
        private ServerJournal journal = new ServerJournal();
        private int answered;
        private int overrun;

        private Sleepy(ScriptedUpstream upstream) {
            this.upstream = upstream;
        }

        @Override
        public Birth birth() {
            answered = 0;
            return upstream.birth();
        }

        @Override
        public Act act(ServerCall serverCall) {
            boolean isTooMuch = journal.underWay() > 1L << Math.min(answered, 30);
            overrun += isTooMuch ? 1 : 0;
            answered++;
            return new Act(isTooMuch ? Deed.CRASH_AFTER : Deed.ANSWER, Duration.ofMillis(200));
        }
    }

    @Test
    void clients_that_repeat_everything_give_a_server_that_is_down_next_to_no_work() {
        Seeds.count(SEEDS).within(CROWDED).run(sim -> {
            Load load = load(sim, BreakerPolicy.defaults());

            assertThat(load.overall()).isLessThanOrEqualTo(1.10);
            assertThat(load.worstTenSeconds()).isLessThanOrEqualTo(1.2);
        });
    }

    /// 10 to begin with, a tenth of the calls and one a second: that is what the budget gives.
    @Test
    void without_a_breaker_the_budget_alone_keeps_repetitions_a_tenth_of_the_calls() {
        Seeds.count(SEEDS).within(CROWDED).run(sim -> {
            Load load = load(sim, BreakerPolicy.defaults().with(new TripRule.Consecutive(1_000_000)));

            assertThat(load.worstTenSeconds()).isBetween(1.05, 1.2);
        });
    }

    /// Two hundred calls a second for half a minute, each made three times more when it fails.
    private static Load load(Simulation sim, BreakerPolicy policy) throws InterruptedException {
        ScriptedUpstream upstream = new ScriptedUpstream();
        upstream.replies(SimulatedSite.Deed.REFUSED);
        SimulatedSite site = new SimulatedSite(sim.platform(), "server", upstream);
        SingleServerScenario scenario = new SingleServerScenario(
                sim, SingleServerScenario.rules("server", true).with(policy), site);
        Load load = new Load();
        scenario.servers(6_000, number -> {
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
    void a_server_that_comes_and_goes_for_ten_minutes_is_tried_less_and_less() {
        Seeds.count(SEEDS).within(CROWDED).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SimulatedServer server = new SimulatedServer(sim.platform(), "server", upstream);
            SingleServerScenario scenario =
                    new SingleServerScenario(sim, SingleServerScenario.rules("server", false), server);
            sim.spawn("weather", () -> comeAndGo(sim, scenario, server, upstream));
            List<Duration> cooldowns = new ArrayList<>();
            scenario.breaker().on(StateChange.class, change -> {
                if (change.to() == State.OPEN) {
                    cooldowns.add(scenario.breaker().snapshot().cooldown());
                }
            });
            scenario.servers(20, number -> {
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

    /// Ten seconds well, ten seconds dead.
    private static void comeAndGo(
            Simulation sim, SingleServerScenario scenario, SimulatedServer server, ScriptedUpstream upstream) {
        while (sim.elapsed().compareTo(Duration.ofMinutes(10)) < 0) {
            upstream.recovers();
            scenario.pause(SECOND.multipliedBy(10));
            upstream.starts(Birth.DEAD);
            server.crash();
            scenario.pause(SECOND.multipliedBy(10));
        }
    }
}
