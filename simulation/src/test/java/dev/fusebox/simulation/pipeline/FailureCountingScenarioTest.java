package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.State;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.simulation.pipeline.ProcessScript.CallAction;
import dev.fusebox.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Tests of what counts against a server and what does not, with few seeds each: the order of events is fixed.
class FailureCountingScenarioTest {
    private static final int SEEDS = 10;

    /// The time until a timeout has been resolved by a ping.
    private static final Duration JUDGED = Duration.ofSeconds(3);

    @BeforeAll
    static void silenceLog() {
        QuietLog.begin();
    }

    @Test
    void thousand_failed_tools_with_alarming_texts_leave_the_breaker_closed() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(CallAction.TOOL_ERROR);
            List<Outcome> outcomes = scenario.calls(1_000);

            assertThat(outcomes).allSatisfy(outcome -> {
                String frame = ((Outcome.Answered) outcome).answer().frame().json();
                assertThat(ServerCall.ALARMING).anyMatch(frame::contains);
            });
            assertThat(scenario.state()).isEqualTo(State.CLOSED);
            assertThat(scenario.breaker().snapshot().failureCount()).isZero();
        });
    }

    @Test
    void protocol_error_counts_as_a_response_regardless_of_its_code() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(CallAction.ERROR);
            List<Outcome> outcomes = scenario.calls(1_000);

            assertThat(outcomes).allMatch(Outcome.Answered.class::isInstance);
            assertThat(scenario.state()).isEqualTo(State.CLOSED);
            assertThat(scenario.stateOf("write")).isEqualTo(State.CLOSED);
        });
    }

    @Test
    void breaker_of_an_unresponsive_server_opens_at_the_fifth_timeout() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(CallAction.FREEZE);
            for (int i = 1; i <= SingleServerScenario.THRESHOLD; i++) {
                assertThat(scenario.state()).isEqualTo(State.CLOSED);
                assertThat(SingleServerScenario.failure(scenario.call()).code()).isEqualTo(ErrorCode.TIMEOUT);
                scenario.pause(JUDGED);
                assertThat(scenario.breaker().snapshot().failureCount()).isEqualTo(i);
            }
            assertThat(scenario.state()).isEqualTo(State.OPEN);
            assertThat(scenario.stateOf("write")).isEqualTo(State.CLOSED);
        });
    }

    @Test
    void handshake_does_not_prove_liveness_for_the_call_that_waited_for_it() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(CallAction.FREEZE);
            scenario.calls(SingleServerScenario.THRESHOLD);
            scenario.pause(SingleServerScenario.COOLDOWN.plus(JUDGED));
            // The probe starts a process that completes the handshake and hangs.
            scenario.call();
            scenario.pause(JUDGED);

            assertThat(scenario.journal().starts()).isEqualTo(SingleServerScenario.THRESHOLD + 1);
            assertThat(scenario.state()).isEqualTo(State.OPEN);
            assertThat(scenario.breaker().snapshot().totals().tripsInARow()).isEqualTo(2);
        });
    }

    @Test
    void call_during_the_ping_of_a_silent_process_uses_a_new_process() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(CallAction.FREEZE);
            assertThat(SingleServerScenario.failure(scenario.call()).code()).isEqualTo(ErrorCode.TIMEOUT);
            upstream.recovers();

            assertThat(scenario.call()).isInstanceOf(Outcome.Answered.class);
            assertThat(scenario.journal().starts()).isEqualTo(2);
            assertThat(scenario.state()).isEqualTo(State.CLOSED);
        });
    }

    @Test
    void five_timeouts_of_a_tool_on_a_live_server_open_the_tools_breaker() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(CallAction.HANG);
            for (int i = 0; i < SingleServerScenario.THRESHOLD; i++) {
                assertThat(scenario.stateOf("write", State.CLOSED)).isEqualTo(State.CLOSED);
                scenario.call();
                scenario.pause(JUDGED);
            }
            assertThat(scenario.stateOf("write")).isEqualTo(State.OPEN);
            assertThat(scenario.state()).isEqualTo(State.CLOSED);
            assertThat(SingleServerScenario.failure(scenario.call()).code()).isEqualTo(ErrorCode.TOOL_BREAKER_OPEN);

            upstream.recovers();
            assertThat(scenario.call("another", SingleServerScenario.LIMIT)).isInstanceOf(Outcome.Answered.class);
        });
    }

    @Test
    void response_between_failures_resets_the_count_even_if_the_tool_failed() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.site(sim, upstream);
            upstream.replies(SimulatedSite.CallAction.BROKEN);
            scenario.calls(SingleServerScenario.THRESHOLD - 1);
            upstream.replies(SimulatedSite.CallAction.TOOL_ERROR);
            scenario.call();
            upstream.replies(SimulatedSite.CallAction.BROKEN);
            scenario.calls(SingleServerScenario.THRESHOLD - 1);
            assertThat(scenario.state()).isEqualTo(State.CLOSED);

            scenario.call();
            assertThat(scenario.state()).isEqualTo(State.OPEN);
        });
    }

    @Test
    void status_401_between_failures_neither_counts_nor_resets_the_count() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.site(sim, upstream);
            upstream.replies(SimulatedSite.CallAction.BROKEN);
            scenario.calls(2);
            upstream.replies(SimulatedSite.CallAction.UNAUTHORIZED);
            assertThat(SingleServerScenario.failure(scenario.call()).category()).isEqualTo(FailureCategory.AUTH);
            upstream.replies(SimulatedSite.CallAction.BROKEN);
            scenario.calls(2);
            assertThat(scenario.state()).isEqualTo(State.CLOSED);

            scenario.call();
            assertThat(scenario.state()).isEqualTo(State.OPEN);
        });
    }

    @Test
    void failures_of_calls_begun_before_the_trip_neither_trip_again_nor_prolong_it() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.site(sim, upstream);
            upstream.replies(SimulatedSite.CallAction.BROKEN);
            List<State> seen = new ArrayList<>();
            scenario.concurrently(4 * SingleServerScenario.THRESHOLD, number -> {
                upstream.takes(Duration.ofMillis(100L * (number + 1)));
                scenario.call();
                seen.add(scenario.state());
            });
            long late = scenario.breaker().snapshot().totals().late();

            assertThat(scenario.breaker().snapshot().transition()).isOne();
            assertThat(late).isEqualTo(3 * SingleServerScenario.THRESHOLD);
            assertThat(seen.subList(SingleServerScenario.THRESHOLD - 1, seen.size()))
                    .containsOnly(State.OPEN);
            assertThat(scenario.breaker().snapshot().cooldown()).isEqualTo(SingleServerScenario.COOLDOWN);
        });
    }

    @Test
    void crash_that_ends_many_calls_counts_as_one_failure() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            scenario.call();
            upstream.takes(Duration.ofSeconds(1));
            upstream.does(CallAction.CRASH_AFTER);
            scenario.concurrently(
                    500,
                    number -> assertThat(SingleServerScenario.failure(scenario.call())
                                    .category())
                            .isEqualTo(FailureCategory.STDIO_EXIT));

            // All of them are calls of one tool, so the crash is attributed to the tool.
            assertThat(scenario.failuresOf("write")).isOne();
            assertThat(scenario.breaker().snapshot().failureCount()).isZero();
        });
    }
}
