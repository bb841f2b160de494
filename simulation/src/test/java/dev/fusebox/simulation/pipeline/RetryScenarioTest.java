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
import dev.fusebox.simulation.pipeline.ProcessScript.CallAction;
import dev.fusebox.simulation.pipeline.ProcessScript.Start;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Tests of retries, and of how they are reported to the caller.
class RetryScenarioTest {
    private static final int SEEDS = 10;

    @BeforeAll
    static void silenceLog() {
        QuietLog.begin();
    }

    /// Three attempts each, and each of them tries to connect.
    @Test
    void all_attempts_of_a_call_that_cannot_connect_are_one_failure() {
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
    void failed_connection_for_many_callers_is_one_failure_including_retries() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.site(sim, upstream);
            upstream.leaves();
            scenario.concurrently(50, number -> scenario.call());
            assertThat(scenario.breaker().snapshot().counts().failureCount()).isOne();
            upstream.recovers();
            assertThat(scenario.call()).isInstanceOf(Outcome.Answered.class);
        });
    }

    @Test
    void lost_response_is_not_retried_and_reported_as_unknown() {
        Seeds.count(1).within(new Limits(1_000_000, Duration.ofMinutes(1))).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            for (int i = 0; i < 1_000; i++) {
                upstream.does(CallAction.CRASH_AFTER);
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
    void call_whose_first_attempt_may_have_run_is_never_reported_as_not_sent() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            scenario.call();
            upstream.does(CallAction.CRASH_AFTER);
            upstream.starts(new Start(Start.Kind.SHORTAGE, Duration.ofMillis(20)));
            CallFailure failure = SingleServerScenario.failure(scenario.call("read", SingleServerScenario.LIMIT));

            assertThat(scenario.journal().executions(2)).isOne();
            assertThat(scenario.journal().starts()).as("it was tried again").isEqualTo(2);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        });
    }

    @Test
    void delayed_retry_does_not_pass_a_breaker_that_has_opened_meanwhile() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.site(sim, upstream);
            upstream.replies(SimulatedSite.CallAction.BROKEN);
            scenario.calls(SingleServerScenario.THRESHOLD - 1);
            scenario.concurrently(2, number -> {
                // The first is refused and waits before its retry; the second is the failure that trips the
                // breaker.
                upstream.replies(number == 0 ? SimulatedSite.CallAction.REFUSED : SimulatedSite.CallAction.BROKEN);
                assertThat(scenario.call()).isInstanceOf(Outcome.Failed.class);
            });

            assertThat(scenario.state()).isEqualTo(State.OPEN);
            assertThat(scenario.journal().calls()).isEqualTo(SingleServerScenario.THRESHOLD + 1);
        });
    }

    /// Two probes: one is refused and waits, the other fails; another call has become the probe when the first one
    /// retries.
    @Test
    void delayed_retry_of_a_probe_does_not_run_beside_the_next_probe() {
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
            upstream.replies(SimulatedSite.CallAction.BROKEN);
            scenario.call();
            scenario.pause(cooldown);
            scenario.concurrently(3, number -> {
                upstream.replies(number == 0 ? SimulatedSite.CallAction.REFUSED : SimulatedSite.CallAction.BROKEN);
                if (number == 2) {
                    scenario.pause(cooldown.multipliedBy(2));
                    upstream.replies(SimulatedSite.CallAction.HANG);
                }
                scenario.call();
            });

            assertThat(scenario.journal().calls()).isEqualTo(1 + 3);
        });
    }
}
