package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.State;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.simulation.pipeline.ProcessScript.Deed;
import dev.fusebox.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What counts against a server and what does not, told with few seeds each: the order of things is the story's.
class VerdictStoriesTest {
    private static final int SEEDS = 10;

    /// After a timeout, for the question whether the server lives.
    private static final Duration JUDGED = Duration.ofSeconds(3);

    @BeforeAll
    static void hush() {
        QuietLog.begin();
    }

    @Test
    void a_thousand_failed_tools_with_alarming_texts_leave_the_breaker_closed() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(Deed.TOOL_ERROR);
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
    void errors_of_the_protocol_are_answers_whatever_their_code() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(Deed.ERROR);
            List<Outcome> outcomes = scenario.calls(1_000);

            assertThat(outcomes).allMatch(Outcome.Answered.class::isInstance);
            assertThat(scenario.state()).isEqualTo(State.CLOSED);
            assertThat(scenario.stateOf("write")).isEqualTo(State.CLOSED);
        });
    }

    @Test
    void five_timeouts_of_a_dead_server_open_its_breaker_at_the_fifth() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(Deed.FREEZE);
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
    void a_handshake_is_no_sign_of_life_for_the_call_that_had_to_wait_for_it() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(Deed.FREEZE);
            scenario.calls(SingleServerScenario.THRESHOLD);
            scenario.pause(SingleServerScenario.COOLDOWN.plus(JUDGED));
            // The probe starts a process that shakes hands and hangs.
            scenario.call();
            scenario.pause(JUDGED);

            assertThat(scenario.journal().starts()).isEqualTo(SingleServerScenario.THRESHOLD + 1);
            assertThat(scenario.state()).isEqualTo(State.OPEN);
            assertThat(scenario.breaker().snapshot().totals().tripsInARow()).isEqualTo(2);
        });
    }

    @Test
    void whoever_calls_while_a_silent_process_is_asked_for_a_sign_of_life_meets_a_fresh_one() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(Deed.FREEZE);
            assertThat(SingleServerScenario.failure(scenario.call()).code()).isEqualTo(ErrorCode.TIMEOUT);
            upstream.recovers();

            assertThat(scenario.call()).isInstanceOf(Outcome.Answered.class);
            assertThat(scenario.journal().starts()).isEqualTo(2);
            assertThat(scenario.state()).isEqualTo(State.CLOSED);
        });
    }

    @Test
    void five_timeouts_of_a_tool_whose_server_lives_open_the_breaker_of_the_tool() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            upstream.does(Deed.HANG);
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
    void an_answer_between_failures_begins_the_count_anew_even_if_the_tool_failed() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.site(sim, upstream);
            upstream.replies(SimulatedSite.Deed.BROKEN);
            scenario.calls(SingleServerScenario.THRESHOLD - 1);
            upstream.replies(SimulatedSite.Deed.TOOL_ERROR);
            scenario.call();
            upstream.replies(SimulatedSite.Deed.BROKEN);
            scenario.calls(SingleServerScenario.THRESHOLD - 1);
            assertThat(scenario.state()).isEqualTo(State.CLOSED);

            scenario.call();
            assertThat(scenario.state()).isEqualTo(State.OPEN);
        });
    }

    @Test
    void a_401_between_failures_neither_counts_nor_begins_the_count_anew() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.site(sim, upstream);
            upstream.replies(SimulatedSite.Deed.BROKEN);
            scenario.calls(2);
            upstream.replies(SimulatedSite.Deed.UNAUTHORIZED);
            assertThat(SingleServerScenario.failure(scenario.call()).category()).isEqualTo(FailureCategory.AUTH);
            upstream.replies(SimulatedSite.Deed.BROKEN);
            scenario.calls(2);
            assertThat(scenario.state()).isEqualTo(State.CLOSED);

            scenario.call();
            assertThat(scenario.state()).isEqualTo(State.OPEN);
        });
    }

    @Test
    void failures_of_calls_that_began_before_the_trip_open_it_once_and_do_not_prolong_it() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.site(sim, upstream);
            upstream.replies(SimulatedSite.Deed.BROKEN);
            List<State> seen = new ArrayList<>();
            scenario.servers(4 * SingleServerScenario.THRESHOLD, number -> {
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
    void one_death_is_one_failure_however_many_calls_it_ends() {
        Seeds.count(SEEDS).run(sim -> {
            ScriptedUpstream upstream = new ScriptedUpstream();
            SingleServerScenario scenario = SingleServerScenario.process(sim, upstream);
            scenario.call();
            upstream.takes(Duration.ofSeconds(1));
            upstream.does(Deed.CRASH_AFTER);
            scenario.servers(
                    500,
                    number -> assertThat(SingleServerScenario.failure(scenario.call())
                                    .category())
                            .isEqualTo(FailureCategory.STDIO_EXIT));

            // All of them are calls of one tool, so the crash is the tool's.
            assertThat(scenario.failuresOf("write")).isOne();
            assertThat(scenario.breaker().snapshot().failureCount()).isZero();
        });
    }
}
