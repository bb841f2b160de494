package dev.fusebox.client.resilience;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A tool that crashes its server: its own breaker opens, and that of the server stays as it is.
///
/// Over five seconds: breakers that are open are waited for.
@Timeout(60)
class ToolCrashTest {
    private static final CallFailure CRASH = new CallFailure(
                    ErrorCode.SERVER_CRASHED,
                    FailureCategory.STDIO_EXIT,
                    Delivery.UNKNOWN,
                    "server exited with code 1",
                    Evidence.ofExit(1, null, List.of()))
            .of(Evidence.Extent.CONNECTION);

    private final Bench bench = new Bench(false);

    private static PipelineCall.Kind tool(String name) {
        return new PipelineCall.Kind(name, false, RetrySafety.SAFE);
    }

    private Outcome crash(String tool, Deadline... beside) {
        return bench.call(tool(tool), call -> {
            List<Deadline> all = new ArrayList<>(List.of(beside));
            all.add(call.deadline());
            bench.pipeline().lost(new EndedLine(all), CRASH);
            return new Outcome.Failed(CRASH);
        });
    }

    private static CallFailure failure(Outcome outcome) {
        return ((Outcome.Failed) outcome).failure();
    }

    @Test
    void three_crashes_open_the_breaker_of_the_tool_and_not_that_of_the_server() {
        for (int i = 0; i < 3; i++) {
            assertThat(failure(crash("poison")).code()).isEqualTo(ErrorCode.SERVER_CRASHED);
        }
        assertThat(bench.tool("poison")).isEqualTo(State.OPEN);
        assertThat(bench.server()).isEqualTo(State.CLOSED);
        assertThat(bench.failures()).isZero();
        assertThat(bench.call(tool("echo"), call -> Bench.DONE)).isSameAs(Bench.DONE);
    }

    @Test
    void the_refusal_says_that_the_tool_crashes_its_server_and_when_to_come_back() {
        for (int i = 0; i < 3; i++) {
            crash("poison");
        }
        CallFailure refused = failure(bench.call(tool("poison"), call -> Bench.DONE));
        assertThat(refused.code()).isEqualTo(ErrorCode.TOOL_BREAKER_OPEN);
        assertThat(refused.category()).isEqualTo(FailureCategory.STDIO_EXIT);
        assertThat(refused.message())
                .startsWith("Circuit breaker 'server/poison' is open: this tool crashes its server (3 times");
        assertThat(Objects.requireNonNull(refused.retryAfter()))
                .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
    }

    @Test
    void an_answer_of_the_tool_in_between_starts_the_count_anew() {
        bench.call(tool("poison"), call -> Bench.DONE);
        bench.call(tool("poison"), call -> Bench.DONE);
        bench.call(tool("poison"), call -> Bench.DONE);
        crash("poison");
        crash("poison");
        bench.call(tool("poison"), call -> Bench.DONE);
        crash("poison");
        assertThat(bench.tool("poison")).isEqualTo(State.CLOSED);
        assertThat(bench.server()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_crash_beside_another_tool_counts_for_the_server() {
        Outcome outcome = bench.call(tool("innocent"), innocent -> {
            crash("poison", innocent.deadline());
            return Bench.DONE;
        });
        assertThat(outcome).isSameAs(Bench.DONE);
        assertThat(bench.tool("poison")).isEqualTo(State.CLOSED);
    }

    @Test
    void a_tool_in_flight_at_each_of_three_crashes_is_found_among_others() {
        for (String other : List.of("a", "b", "c")) {
            bench.call(tool(other), call -> {
                crash("poison", call.deadline());
                return Bench.DONE;
            });
        }
        assertThat(bench.tool("poison")).isEqualTo(State.OPEN);
        assertThat(List.of(bench.tool("a"), bench.tool("b"), bench.tool("c"))).containsOnly(State.CLOSED);
    }

    /// Both are in flight, unanswered, at each of five crashes.
    private void openBoth() {
        for (int i = 0; i < 5; i++) {
            bench.call(tool("slow"), slow -> {
                crash("poison", slow.deadline());
                return new Outcome.Failed(CRASH);
            });
        }
        assertThat(List.of(bench.tool("poison"), bench.tool("slow"))).containsOnly(State.OPEN);
    }

    @Test
    void a_slow_tool_that_was_suspected_beside_a_poison_tool_comes_back_though_their_probes_meet() {
        openBoth();
        bench.later(Duration.ofSeconds(31));
        bench.call(tool("slow"), slow -> {
            crash("poison", slow.deadline());
            return new Outcome.Failed(CRASH);
        });
        assertThat(bench.tool("poison")).isEqualTo(State.OPEN);
        assertThat(bench.tool("slow")).isEqualTo(State.HALF_OPEN);
        assertThat(bench.call(tool("slow"), call -> Bench.DONE)).isSameAs(Bench.DONE);
        assertThat(bench.tool("slow")).isEqualTo(State.CLOSED);
    }

    @Test
    void a_crash_beside_the_probe_of_a_poison_tool_counts_for_no_other_tool() {
        for (int i = 0; i < 3; i++) {
            crash("poison");
        }
        for (int i = 0; i < 3; i++) {
            bench.later(Duration.ofMinutes(6));
            bench.call(tool("slow"), slow -> {
                crash("poison", slow.deadline());
                return new Outcome.Failed(CRASH);
            });
        }
        assertThat(bench.tool("poison")).isEqualTo(State.OPEN);
        assertThat(bench.tool("slow")).isEqualTo(State.CLOSED);
        assertThat(bench.server()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_probe_of_a_tool_that_hung_is_not_failed_by_the_crash_of_another_tool() {
        CallFailure timeout = CallFailure.timeout("timed out");
        crashBeside("hot");
        bench.call(tool("hot"), call -> Bench.DONE);
        crashBeside("hot");
        for (int i = 0; i < 5; i++) {
            bench.call(tool("hot"), call -> new Outcome.Failed(timeout));
        }
        eventually("hot is refused", () -> assertThat(bench.tool("hot")).isEqualTo(State.OPEN));
        bench.later(Duration.ofSeconds(31));
        crashBeside("hot");
        assertThat(bench.tool("hot")).isEqualTo(State.HALF_OPEN);
        assertThat(bench.failures()).isZero();
    }

    private void crashBeside(String other) {
        bench.call(tool(other), call -> {
            crash("poison", call.deadline());
            return new Outcome.Failed(CRASH);
        });
    }

    @Test
    void an_idle_crash_counts_for_the_server() {
        for (int i = 0; i < 5; i++) {
            bench.pipeline().lost(new EndedLine(), CRASH);
        }
        assertThat(bench.server()).isEqualTo(State.OPEN);
    }

    @Test
    void every_crash_counts_for_the_server_where_the_rules_say_so() {
        PipelineRules.Tools plain = new PipelineRules.Tools(true, PipelineRules.Tools.USUAL.policy(), false, 0);
        Bench strict = new Bench(PipelineRules.of("server", false).with(plain));
        for (int i = 0; i < 5; i++) {
            strict.call(tool("poison"), call -> {
                strict.pipeline().lost(new EndedLine(List.of(call.deadline())), CRASH);
                return new Outcome.Failed(CRASH);
            });
        }
        assertThat(strict.server()).isEqualTo(State.OPEN);
        assertThat(strict.tool("poison")).isEqualTo(State.CLOSED);
    }

    @Test
    void a_probe_of_the_server_that_ends_with_a_crash_of_its_tool_says_nothing_about_the_server() {
        for (int i = 0; i < 5; i++) {
            bench.pipeline().lost(new EndedLine(), CRASH);
        }
        bench.later(Duration.ofSeconds(31));
        crash("poison");
        assertThat(bench.server()).isEqualTo(State.HALF_OPEN);
        assertThat(bench.call(tool("echo"), call -> Bench.DONE)).isSameAs(Bench.DONE);
        assertThat(bench.server()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_tool_that_hangs_now_and_then_stays_in_use() {
        CallFailure timeout = CallFailure.timeout("timed out");
        for (int i = 0; i < 1_000; i++) {
            boolean hangs = i % 20 == 19;
            bench.call(tool("grey"), call -> hangs ? new Outcome.Failed(timeout) : Bench.DONE);
        }
        eventually(
                "the last timeout has been judged",
                () -> assertThat(bench.pings()).isPositive());
        assertThat(bench.tool("grey")).isEqualTo(State.CLOSED);
        assertThat(bench.server()).isEqualTo(State.CLOSED);
    }
}
