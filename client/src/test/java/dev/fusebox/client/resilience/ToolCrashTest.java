package dev.fusebox.client.resilience;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
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
                    ErrorId.SERVER_EXITED,
                    FailureCategory.STDIO_EXIT,
                    Delivery.UNKNOWN,
                    "server exited with code 1",
                    Evidence.ofExit(1, null, List.of()))
            .of(Evidence.Extent.CONNECTION);

    private final PipelineHarness harness = new PipelineHarness(false);

    private static PipelineCall.Kind tool(String name) {
        return new PipelineCall.Kind(name, false, RetrySafety.SAFE);
    }

    private Outcome crash(String tool, Deadline... beside) {
        return harness.call(tool(tool), call -> {
            List<Deadline> all = new ArrayList<>(List.of(beside));
            all.add(call.deadline());
            harness.pipeline().lost(new EndedLine(all), CRASH);
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
        assertThat(harness.tool("poison")).isEqualTo(State.OPEN);
        assertThat(harness.server()).isEqualTo(State.CLOSED);
        assertThat(harness.failures()).isZero();
        assertThat(harness.call(tool("echo"), call -> PipelineHarness.DONE)).isSameAs(PipelineHarness.DONE);
    }

    @Test
    void rejection_names_the_crashes_of_the_tool_and_the_retry_time() {
        for (int i = 0; i < 3; i++) {
            crash("poison");
        }
        CallFailure refused = failure(harness.call(tool("poison"), call -> PipelineHarness.DONE));
        assertThat(refused.code()).isEqualTo(ErrorCode.TOOL_BREAKER_OPEN);
        assertThat(refused.category()).isEqualTo(FailureCategory.STDIO_EXIT);
        assertThat(refused.message())
                .startsWith("Circuit breaker 'server/poison' is open: this tool has crashed its server (3 times");
        assertThat(Objects.requireNonNull(refused.retryAfter()))
                .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
    }

    @Test
    void an_answer_of_the_tool_in_between_starts_the_count_anew() {
        harness.call(tool("poison"), call -> PipelineHarness.DONE);
        harness.call(tool("poison"), call -> PipelineHarness.DONE);
        harness.call(tool("poison"), call -> PipelineHarness.DONE);
        crash("poison");
        crash("poison");
        harness.call(tool("poison"), call -> PipelineHarness.DONE);
        crash("poison");
        assertThat(harness.tool("poison")).isEqualTo(State.CLOSED);
        assertThat(harness.server()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_crash_beside_another_tool_counts_for_the_server() {
        Outcome outcome = harness.call(tool("innocent"), innocent -> {
            crash("poison", innocent.deadline());
            return PipelineHarness.DONE;
        });
        assertThat(outcome).isSameAs(PipelineHarness.DONE);
        assertThat(harness.tool("poison")).isEqualTo(State.CLOSED);
    }

    @Test
    void a_tool_in_flight_at_each_of_three_crashes_is_found_among_others() {
        for (String other : List.of("a", "b", "c")) {
            harness.call(tool(other), call -> {
                crash("poison", call.deadline());
                return PipelineHarness.DONE;
            });
        }
        assertThat(harness.tool("poison")).isEqualTo(State.OPEN);
        assertThat(List.of(harness.tool("a"), harness.tool("b"), harness.tool("c")))
                .containsOnly(State.CLOSED);
    }

    /// Both are in flight, unanswered, at each of five crashes.
    private void openBoth() {
        for (int i = 0; i < 5; i++) {
            harness.call(tool("slow"), slow -> {
                crash("poison", slow.deadline());
                return new Outcome.Failed(CRASH);
            });
        }
        assertThat(List.of(harness.tool("poison"), harness.tool("slow"))).containsOnly(State.OPEN);
    }

    @Test
    void a_slow_tool_that_was_suspected_beside_a_poison_tool_comes_back_though_their_probes_meet() {
        openBoth();
        harness.later(Duration.ofSeconds(31));
        harness.call(tool("slow"), slow -> {
            crash("poison", slow.deadline());
            return new Outcome.Failed(CRASH);
        });
        assertThat(harness.tool("poison")).isEqualTo(State.OPEN);
        assertThat(harness.tool("slow")).isEqualTo(State.HALF_OPEN);
        assertThat(harness.call(tool("slow"), call -> PipelineHarness.DONE)).isSameAs(PipelineHarness.DONE);
        assertThat(harness.tool("slow")).isEqualTo(State.CLOSED);
    }

    @Test
    void a_crash_beside_the_probe_of_a_poison_tool_counts_for_no_other_tool() {
        for (int i = 0; i < 3; i++) {
            crash("poison");
        }
        for (int i = 0; i < 3; i++) {
            harness.later(Duration.ofMinutes(6));
            harness.call(tool("slow"), slow -> {
                crash("poison", slow.deadline());
                return new Outcome.Failed(CRASH);
            });
        }
        assertThat(harness.tool("poison")).isEqualTo(State.OPEN);
        assertThat(harness.tool("slow")).isEqualTo(State.CLOSED);
        assertThat(harness.server()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_probe_of_a_tool_that_hung_is_not_failed_by_the_crash_of_another_tool() {
        CallFailure timeout = CallFailure.timeout("timed out");
        crashBeside("hot");
        harness.call(tool("hot"), call -> PipelineHarness.DONE);
        crashBeside("hot");
        for (int i = 0; i < 5; i++) {
            harness.call(tool("hot"), call -> new Outcome.Failed(timeout));
        }
        eventually("hot is refused", () -> assertThat(harness.tool("hot")).isEqualTo(State.OPEN));
        harness.later(Duration.ofSeconds(31));
        crashBeside("hot");
        assertThat(harness.tool("hot")).isEqualTo(State.HALF_OPEN);
        assertThat(harness.failures()).isZero();
    }

    private void crashBeside(String other) {
        harness.call(tool(other), call -> {
            crash("poison", call.deadline());
            return new Outcome.Failed(CRASH);
        });
    }

    @Test
    void an_idle_crash_counts_for_the_server() {
        for (int i = 0; i < 5; i++) {
            harness.pipeline().lost(new EndedLine(), CRASH);
        }
        assertThat(harness.server()).isEqualTo(State.OPEN);
    }

    @Test
    void every_crash_counts_for_the_server_if_configured() {
        PipelineRules.Tools plain = new PipelineRules.Tools(true, PipelineRules.Tools.USUAL.policy(), false, 0);
        PipelineHarness strict =
                new PipelineHarness(PipelineRules.of("server", false).with(plain));
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
    void server_probe_that_ends_with_a_crash_of_its_tool_has_no_verdict() {
        for (int i = 0; i < 5; i++) {
            harness.pipeline().lost(new EndedLine(), CRASH);
        }
        harness.later(Duration.ofSeconds(31));
        crash("poison");
        assertThat(harness.server()).isEqualTo(State.HALF_OPEN);
        assertThat(harness.call(tool("echo"), call -> PipelineHarness.DONE)).isSameAs(PipelineHarness.DONE);
        assertThat(harness.server()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_tool_that_hangs_now_and_then_stays_in_use() {
        CallFailure timeout = CallFailure.timeout("timed out");
        for (int i = 0; i < 1_000; i++) {
            boolean hangs = i % 20 == 19;
            harness.call(tool("grey"), call -> hangs ? new Outcome.Failed(timeout) : PipelineHarness.DONE);
        }
        eventually(
                "the last timeout has been judged",
                () -> assertThat(harness.pings()).isPositive());
        assertThat(harness.tool("grey")).isEqualTo(State.CLOSED);
        assertThat(harness.server()).isEqualTo(State.CLOSED);
    }
}
