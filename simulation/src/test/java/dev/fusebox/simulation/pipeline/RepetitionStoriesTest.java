package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.simulation.pipeline.ProcessScript.Birth;
import dev.fusebox.simulation.pipeline.ProcessScript.Deed;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What is sent a second time, and what a caller is told of it.
class RepetitionStoriesTest {
    private static final int SEEDS = 10;

    @BeforeAll
    static void hush() {
        QuietLog.begin();
    }

    /// Three attempts each, and each of them tries to connect.
    @Test
    void all_attempts_of_a_call_that_finds_nobody_are_one_failure() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.site(sim, upstream);
            upstream.leaves();
            scenario.calls(SingleServerScenario.THRESHOLD - 1);
            assertThat(scenario.state()).isEqualTo(State.CLOSED);
            scenario.call();
            assertThat(scenario.state()).isEqualTo(State.OPEN);
        });
    }

    @Test
    void a_connection_that_many_wait_for_is_one_failure_and_so_are_their_repetitions() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.site(sim, upstream);
            upstream.leaves();
            scenario.servers(50, number -> scenario.call());
            assertThat(scenario.breaker().snapshot().counts().failureCount()).isOne();
            upstream.recovers();
            assertThat(scenario.call()).isInstanceOf(Outcome.Answered.class);
        });
    }

    @Test
    void of_a_thousand_lost_replies_none_is_asked_for_again_and_all_are_called_unknown() {
        Seeds.count(1).within(new Limits(1_000_000, Duration.ofMinutes(1))).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            for (int i = 0; i < 1_000; i++) {
                upstream.does(Deed.CRASH_AFTER);
                CallFailure failure = SingleServerScenario.failure(scenario.call());
                upstream.recovers();

                assertThat(failure.code()).isEqualTo(ErrorCode.SERVER_CRASHED);
                assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
                assertThat(scenario.journal().executions(2 * i + 1)).isOne();
                assertThat(scenario.call()).isInstanceOf(Outcome.Answered.class);
            }
            assertThat(scenario.journal().calls()).isEqualTo(2_000);
        });
    }

    @Test
    void a_call_whose_first_attempt_may_have_run_is_never_called_not_sent() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            scenario.call();
            upstream.does(Deed.CRASH_AFTER);
            upstream.starts(new Birth(Birth.Kind.SHORTAGE, Duration.ofMillis(20)));
            CallFailure failure = SingleServerScenario.failure(scenario.call("read", SingleServerScenario.LIMIT));

            assertThat(scenario.journal().executions(2)).isOne();
            assertThat(scenario.journal().starts()).as("it was tried again").isEqualTo(2);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        });
    }

    @Test
    void a_call_that_rests_does_not_come_back_to_a_breaker_that_opened_meanwhile() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.site(sim, upstream);
            upstream.replies(SimulatedSite.Deed.BROKEN);
            scenario.calls(SingleServerScenario.THRESHOLD - 1);
            scenario.servers(2, number -> {
                // The first is refused and rests before it tries again; the second is the failure too many.
                upstream.replies(number == 0 ? SimulatedSite.Deed.REFUSED : SimulatedSite.Deed.BROKEN);
                assertThat(scenario.call()).isInstanceOf(Outcome.Failed.class);
            });

            assertThat(scenario.state()).isEqualTo(State.OPEN);
            assertThat(scenario.journal().calls()).isEqualTo(SingleServerScenario.THRESHOLD + 1);
        });
    }

    /// Two probes: one is refused and rests, the other fails; another has become the probe when the first is
    /// rested.
    @Test
    void a_probe_that_rests_does_not_come_back_beside_the_probe_that_followed_it() {
        Seeds.count(SEEDS).run(sim -> {
            Duration cooldown = Duration.ofMillis(100);
            PipelineRules rules = SingleServerScenario.rules("server", true)
                    .with(BreakerPolicy.defaults()
                            .with(new TripRule.Consecutive(1))
                            .with(Cooldown.fixed(cooldown))
                            .with(new HalfOpen(2, 2)));
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario =
                    new SingleServerScenario(sim, rules, new SimulatedSite(sim.platform(), "server", upstream));
            upstream.replies(SimulatedSite.Deed.BROKEN);
            scenario.call();
            scenario.pause(cooldown);
            scenario.servers(3, number -> {
                upstream.replies(number == 0 ? SimulatedSite.Deed.REFUSED : SimulatedSite.Deed.BROKEN);
                if (number == 2) {
                    scenario.pause(cooldown.multipliedBy(2));
                    upstream.replies(SimulatedSite.Deed.HANG);
                }
                scenario.call();
            });

            assertThat(scenario.journal().calls()).isEqualTo(1 + 3);
        });
    }
}
