package dev.fusebox.simulation.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.State;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.simulation.lane.ProcessScript.Deed;
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
        Quiet.begin();
    }

    @Test
    void a_thousand_failed_tools_with_alarming_texts_leave_the_breaker_closed() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.process(sim, puppet);
            puppet.does(Deed.TOOL_ERROR);
            List<Outcome> outcomes = scene.calls(1_000);

            assertThat(outcomes).allSatisfy(outcome -> {
                String frame = ((Outcome.Answered) outcome).answer().frame().json();
                assertThat(Job.ALARMING).anyMatch(frame::contains);
            });
            assertThat(scene.state()).isEqualTo(State.CLOSED);
            assertThat(scene.breaker().snapshot().failureCount()).isZero();
        });
    }

    @Test
    void errors_of_the_protocol_are_answers_whatever_their_code() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.process(sim, puppet);
            puppet.does(Deed.ERROR);
            List<Outcome> outcomes = scene.calls(1_000);

            assertThat(outcomes).allMatch(Outcome.Answered.class::isInstance);
            assertThat(scene.state()).isEqualTo(State.CLOSED);
            assertThat(scene.stateOf("write")).isEqualTo(State.CLOSED);
        });
    }

    @Test
    void five_timeouts_of_a_dead_server_open_its_breaker_at_the_fifth() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.process(sim, puppet);
            puppet.does(Deed.FREEZE);
            for (int i = 1; i <= Scene.THRESHOLD; i++) {
                assertThat(scene.state()).isEqualTo(State.CLOSED);
                assertThat(Scene.failure(scene.call()).code()).isEqualTo(ErrorCode.TIMEOUT);
                scene.pause(JUDGED);
                assertThat(scene.breaker().snapshot().failureCount()).isEqualTo(i);
            }
            assertThat(scene.state()).isEqualTo(State.OPEN);
            assertThat(scene.stateOf("write")).isEqualTo(State.CLOSED);
        });
    }

    @Test
    void a_handshake_is_no_sign_of_life_for_the_call_that_had_to_wait_for_it() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.process(sim, puppet);
            puppet.does(Deed.FREEZE);
            scene.calls(Scene.THRESHOLD);
            scene.pause(Scene.COOLDOWN.plus(JUDGED));
            // The probe starts a process that shakes hands and hangs.
            scene.call();
            scene.pause(JUDGED);

            assertThat(scene.journal().starts()).isEqualTo(Scene.THRESHOLD + 1);
            assertThat(scene.state()).isEqualTo(State.OPEN);
            assertThat(scene.breaker().snapshot().totals().tripsInARow()).isEqualTo(2);
        });
    }

    @Test
    void whoever_calls_while_a_silent_process_is_asked_for_a_sign_of_life_meets_a_fresh_one() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.process(sim, puppet);
            puppet.does(Deed.FREEZE);
            assertThat(Scene.failure(scene.call()).code()).isEqualTo(ErrorCode.TIMEOUT);
            puppet.recovers();

            assertThat(scene.call()).isInstanceOf(Outcome.Answered.class);
            assertThat(scene.journal().starts()).isEqualTo(2);
            assertThat(scene.state()).isEqualTo(State.CLOSED);
        });
    }

    @Test
    void five_timeouts_of_a_tool_whose_server_lives_open_the_breaker_of_the_tool() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.process(sim, puppet);
            puppet.does(Deed.HANG);
            for (int i = 0; i < Scene.THRESHOLD; i++) {
                assertThat(scene.stateOf("write", State.CLOSED)).isEqualTo(State.CLOSED);
                scene.call();
                scene.pause(JUDGED);
            }
            assertThat(scene.stateOf("write")).isEqualTo(State.OPEN);
            assertThat(scene.state()).isEqualTo(State.CLOSED);
            assertThat(Scene.failure(scene.call()).code()).isEqualTo(ErrorCode.TOOL_BREAKER_OPEN);

            puppet.recovers();
            assertThat(scene.call("another", Scene.LIMIT)).isInstanceOf(Outcome.Answered.class);
        });
    }

    @Test
    void an_answer_between_failures_begins_the_count_anew_even_if_the_tool_failed() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.site(sim, puppet);
            puppet.replies(SimulatedSite.Deed.BROKEN);
            scene.calls(Scene.THRESHOLD - 1);
            puppet.replies(SimulatedSite.Deed.TOOL_ERROR);
            scene.call();
            puppet.replies(SimulatedSite.Deed.BROKEN);
            scene.calls(Scene.THRESHOLD - 1);
            assertThat(scene.state()).isEqualTo(State.CLOSED);

            scene.call();
            assertThat(scene.state()).isEqualTo(State.OPEN);
        });
    }

    @Test
    void a_401_between_failures_neither_counts_nor_begins_the_count_anew() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.site(sim, puppet);
            puppet.replies(SimulatedSite.Deed.BROKEN);
            scene.calls(2);
            puppet.replies(SimulatedSite.Deed.UNAUTHORIZED);
            assertThat(Scene.failure(scene.call()).category()).isEqualTo(FailureCategory.AUTH);
            puppet.replies(SimulatedSite.Deed.BROKEN);
            scene.calls(2);
            assertThat(scene.state()).isEqualTo(State.CLOSED);

            scene.call();
            assertThat(scene.state()).isEqualTo(State.OPEN);
        });
    }

    @Test
    void failures_of_calls_that_began_before_the_trip_open_it_once_and_do_not_prolong_it() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.site(sim, puppet);
            puppet.replies(SimulatedSite.Deed.BROKEN);
            List<State> seen = new ArrayList<>();
            scene.crowd(4 * Scene.THRESHOLD, number -> {
                puppet.takes(Duration.ofMillis(100L * (number + 1)));
                scene.call();
                seen.add(scene.state());
            });
            long late = scene.breaker().snapshot().totals().late();

            assertThat(scene.breaker().snapshot().transition()).isOne();
            assertThat(late).isEqualTo(3 * Scene.THRESHOLD);
            assertThat(seen.subList(Scene.THRESHOLD - 1, seen.size())).containsOnly(State.OPEN);
            assertThat(scene.breaker().snapshot().cooldown()).isEqualTo(Scene.COOLDOWN);
        });
    }

    @Test
    void one_death_is_one_failure_however_many_calls_it_ends() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.process(sim, puppet);
            scene.call();
            puppet.takes(Duration.ofSeconds(1));
            puppet.does(Deed.CRASH_AFTER);
            scene.crowd(
                    500,
                    number -> assertThat(Scene.failure(scene.call()).category()).isEqualTo(FailureCategory.STDIO_EXIT));

            // All of them are calls of one tool, so the crash is the tool's.
            assertThat(scene.failuresOf("write")).isOne();
            assertThat(scene.breaker().snapshot().failureCount()).isZero();
        });
    }
}
