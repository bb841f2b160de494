package dev.fusebox.client.resilience;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a call pipeline reports to its breakers and to its callers.
@Timeout(60)
class CallPipelineTest {
    private static final PipelineRules USUAL = PipelineRules.of("server", false);
    private static final Outcome UNAVAILABLE = failed(ErrorId.HTTP_ERROR, FailureCategory.HTTP, Delivery.REJECTED);
    private static final Outcome SILENT = failed(ErrorId.CALL_TIMEOUT, FailureCategory.OFFLINE, Delivery.UNKNOWN);

    private static Outcome failed(ErrorId id, FailureCategory category, Delivery delivery) {
        return new Outcome.Failed(new CallFailure(id, category, delivery, "failed", Evidence.NONE));
    }

    private static CallFailure crash(Evidence.Extent extent) {
        Evidence how = new Evidence(1, null, List.of(), null, null, extent, Evidence.NONE.context());
        return new CallFailure(ErrorId.SERVER_EXITED, FailureCategory.STDIO_EXIT, Delivery.UNKNOWN, "died", how);
    }

    private static CallFailure failure(Outcome outcome) {
        return ((Outcome.Failed) outcome).failure();
    }

    @Test
    void the_fifth_failure_in_a_row_opens_and_the_sixth_call_is_refused_without_contact() {
        PipelineHarness bench = new PipelineHarness(false);
        for (int i = 0; i < 4; i++) {
            bench.call(call -> UNAVAILABLE);
        }
        bench.call(call -> PipelineHarness.DONE);
        for (int i = 0; i < 5; i++) {
            assertThat(bench.server()).isEqualTo(State.CLOSED);
            bench.call(call -> UNAVAILABLE);
        }
        assertThat(bench.server()).isEqualTo(State.OPEN);
        CallFailure refused = failure(bench.call(call -> {
            throw new AssertionError("an open breaker lets nobody through");
        }));
        assertThat(refused.code()).isEqualTo(ErrorCode.BREAKER_OPEN);
        assertThat(refused.category()).isEqualTo(FailureCategory.HTTP);
        assertThat(refused.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(Objects.requireNonNull(refused.retryAfter())).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = {"AUTH", "LOCAL", "POLICY"})
    void failures_unrelated_to_the_server_neither_count_nor_reset(FailureCategory category) {
        PipelineHarness bench = new PipelineHarness(false);
        Outcome nothing = failed(ErrorId.INTERNAL, category, Delivery.REJECTED);
        bench.call(call -> UNAVAILABLE);
        bench.call(call -> UNAVAILABLE);
        bench.call(call -> nothing);
        bench.call(call -> UNAVAILABLE);
        bench.call(call -> UNAVAILABLE);
        assertThat(bench.server()).isEqualTo(State.CLOSED);
        bench.call(call -> UNAVAILABLE);
        assertThat(bench.server()).isEqualTo(State.OPEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"401 Unauthorized", "ECONNREFUSED", "timed out", "ENOENT: no such file"})
    void tool_error_is_an_answer_regardless_of_its_text(String text) {
        PipelineHarness bench = new PipelineHarness(false);
        Outcome error = PipelineHarness.answered(
                "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]}");
        for (int i = 0; i < 1_000; i++) {
            assertThat(bench.call(call -> error)).isSameAs(error);
        }
        assertThat(bench.server()).isEqualTo(State.CLOSED);
        assertThat(bench.tool()).isEqualTo(State.CLOSED);
        assertThat(bench.failures()).isZero();
    }

    @Test
    void errors_of_a_tool_open_its_breaker_if_they_are_to_count() {
        PipelineRules.Tools strict = new PipelineRules.Tools(true, PipelineRules.Tools.USUAL.policy(), true);
        PipelineHarness bench =
                new PipelineHarness(PipelineRules.of("server", false).with(strict));
        Outcome error = PipelineHarness.answered("{\"isError\":true,\"content\":[]}");
        for (int i = 0; i < 5; i++) {
            bench.call(call -> error);
        }
        assertThat(bench.tool()).isEqualTo(State.OPEN);
        assertThat(bench.server()).isEqualTo(State.CLOSED);
        assertThat(failure(bench.call(call -> error)).code()).isEqualTo(ErrorCode.TOOL_BREAKER_OPEN);
    }

    // ---- Evidence

    @Test
    void crash_that_ends_many_calls_is_one_failure() throws InterruptedException {
        PipelineHarness bench = new PipelineHarness(false);
        CallFailure crash = crash(Evidence.Extent.CONNECTION);
        CountDownLatch allIn = new CountDownLatch(50);
        CountDownLatch crashed = new CountDownLatch(1);
        List<Thread> callers = IntStream.range(0, 50)
                .mapToObj(i -> Thread.ofVirtual()
                        .start(() -> bench.call(call -> {
                            allIn.countDown();
                            await(crashed);
                            return new Outcome.Failed(crash);
                        })))
                .toList();
        allIn.await();
        bench.pipeline().lost(new EndedLine(), crash);
        crashed.countDown();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(bench.failures()).isEqualTo(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Test
    void a_connection_that_only_repetitions_waited_for_is_no_further_failure() {
        PipelineHarness bench = new PipelineHarness(true);
        CallFailure refused = crash(Evidence.Extent.CONNECTING).unsent();
        AtomicInteger attempts = new AtomicInteger();
        bench.call(call -> {
            attempts.incrementAndGet();
            bench.pipeline().failed(refused);
            return new Outcome.Failed(refused);
        });
        assertThat(attempts).hasValue(3);
        assertThat(bench.failures()).isEqualTo(1);
    }

    @Test
    void failed_connection_without_a_waiting_call_counts() {
        PipelineHarness bench = new PipelineHarness(true);
        bench.call(call -> failed(ErrorId.CALL_TIMEOUT, FailureCategory.LOCAL, Delivery.NOT_SENT));
        assertThat(bench.failures()).isZero();
        bench.pipeline().failed(crash(Evidence.Extent.CONNECTING));
        assertThat(bench.failures()).isEqualTo(1);
    }

    @Test
    void a_connection_that_a_repetition_and_a_new_call_wait_for_is_a_failure_of_the_new_call() {
        PipelineHarness bench = new PipelineHarness(true);
        CallFailure refused = crash(Evidence.Extent.CONNECTING).unsent();
        AtomicInteger attempts = new AtomicInteger();
        bench.call(call -> {
            if (attempts.incrementAndGet() == 2) {
                bench.call(new PipelineCall.Kind("other", false, RetrySafety.NEVER), inner -> {
                    bench.pipeline().failed(refused);
                    return new Outcome.Failed(refused);
                });
            } else {
                bench.pipeline().failed(refused);
            }
            return new Outcome.Failed(refused);
        });
        assertThat(bench.failures()).isEqualTo(2);
    }

    @Test
    void a_probe_that_its_connection_did_not_survive_opens_again() {
        PipelineHarness bench = opened(USUAL);
        bench.later(Duration.ofSeconds(31));
        CallFailure crash = crash(Evidence.Extent.CONNECTING);
        bench.call(call -> {
            bench.pipeline().failed(crash);
            return new Outcome.Failed(crash);
        });
        assertThat(bench.server()).isEqualTo(State.OPEN);
    }

    private static PipelineHarness opened(PipelineRules rules) {
        PipelineHarness bench = new PipelineHarness(rules);
        for (int i = 0; i < 5; i++) {
            bench.call(call -> UNAVAILABLE);
        }
        assertThat(bench.server()).isEqualTo(State.OPEN);
        return bench;
    }

    @Test
    void lost_connection_does_not_change_an_open_breaker() {
        PipelineHarness bench = opened(USUAL);
        bench.later(Duration.ofSeconds(31));
        bench.pipeline().lost(new EndedLine(), crash(Evidence.Extent.CONNECTION));
        assertThat(bench.call(call -> PipelineHarness.DONE)).isSameAs(PipelineHarness.DONE);
        assertThat(bench.server()).isEqualTo(State.CLOSED);
    }

    @ParameterizedTest
    @EnumSource(names = {"AUTH", "POLICY", "LOCAL"})
    void probe_without_a_verdict_leaves_its_slot_to_the_next_call(FailureCategory category) {
        PipelineHarness bench = opened(USUAL);
        bench.later(Duration.ofSeconds(31));
        bench.call(call -> failed(ErrorId.INTERNAL, category, Delivery.REJECTED));
        assertThat(bench.server()).isEqualTo(State.HALF_OPEN);
        assertThat(bench.pipeline().isReady()).isTrue();
        assertThat(bench.call(call -> PipelineHarness.DONE)).isSameAs(PipelineHarness.DONE);
        assertThat(bench.server()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_probe_keeps_its_place_while_its_client_is_asked() {
        PipelineHarness bench =
                opened(USUAL.with(BreakerPolicy.defaults().with(HalfOpen.ONE_PROBE.withoutExtraCalls())));
        bench.later(Duration.ofSeconds(31));
        bench.call(probe -> {
            probe.deadline().stop();
            bench.later(Duration.ofMinutes(30));
            assertThat(failure(bench.call(call -> PipelineHarness.DONE)).code()).isEqualTo(ErrorCode.BREAKER_OPEN);
            probe.deadline().go();
            assertThat(failure(bench.call(call -> PipelineHarness.DONE)).code()).isEqualTo(ErrorCode.BREAKER_OPEN);
            return PipelineHarness.DONE;
        });
        assertThat(bench.server()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_probe_whose_caller_never_comes_back_loses_its_place() {
        PipelineHarness bench = opened(USUAL);
        bench.later(Duration.ofSeconds(31));
        bench.call(probe -> {
            bench.later(Duration.ofMinutes(30));
            assertThat(bench.call(call -> PipelineHarness.DONE)).isSameAs(PipelineHarness.DONE);
            return UNAVAILABLE;
        });
    }

    @Test
    void an_attempt_that_throws_costs_its_own_call_and_no_place() {
        PipelineHarness bench = opened(USUAL);
        bench.later(Duration.ofSeconds(31));
        try {
            bench.call(call -> {
                throw new IllegalStateException("a bug");
            });
        } catch (IllegalStateException bug) {
            assertThat(bug).hasMessage("a bug");
        }
        assertThat(bench.call(call -> PipelineHarness.DONE)).isSameAs(PipelineHarness.DONE);
    }

    @Test
    void three_tools_are_the_three_probes_that_close_again() {
        BreakerPolicy threeProbes = BreakerPolicy.defaults()
                .with(new TripRule.Consecutive(5))
                .with(Cooldown.fixed(Duration.ofSeconds(60)))
                .with(new HalfOpen(3, 3));
        PipelineHarness bench =
                new PipelineHarness(PipelineRules.of("server", false).with(threeProbes));
        for (int i = 0; i < 5; i++) {
            bench.call(call -> UNAVAILABLE);
        }
        bench.later(Duration.ofSeconds(61));
        for (String tool : List.of("get_issue", "add_comment", "search")) {
            assertThat(bench.server()).isIn(State.OPEN, State.HALF_OPEN);
            bench.call(new PipelineCall.Kind(tool, false, RetrySafety.SAFE), call -> PipelineHarness.DONE);
        }
        assertThat(bench.server()).isEqualTo(State.CLOSED);
    }

    @Test
    void an_answer_that_was_too_large_is_an_answer_to_a_pipeline_that_restarts_slowly() {
        PipelineHarness bench = opened(USUAL);
        bench.later(Duration.ofSeconds(31));
        bench.call(call -> PipelineHarness.DONE);
        assertThat(bench.pipeline().limit()).isEqualTo(4);
        bench.call(call -> new Outcome.Failed(CallFailure.tooLarge(2 << 20, 1 << 20)));
        assertThat(bench.pipeline().limit()).isEqualTo(8);
    }

    // ---- Silence

    @Test
    void five_timeouts_of_a_server_that_lives_open_the_tools_breaker_only() {
        PipelineHarness bench = new PipelineHarness(false).giving(HealthCheckResult.ALIVE);
        for (int i = 0; i < 5; i++) {
            bench.call(call -> SILENT);
        }
        eventually("the breaker of the tool is open", () -> bench.tool() == State.OPEN);
        assertThat(bench.pings()).isBetween(1, 5);
        assertThat(bench.server()).isEqualTo(State.CLOSED);
        assertThat(bench.call(new PipelineCall.Kind("other", false, RetrySafety.SAFE), call -> PipelineHarness.DONE))
                .isSameAs(PipelineHarness.DONE);
    }

    @Test
    void five_timeouts_of_a_silent_server_open_its_breaker_and_end_its_connection() {
        PipelineHarness bench = new PipelineHarness(false).giving(HealthCheckResult.SILENT);
        for (int i = 1; i <= 5; i++) {
            long failures = i;
            bench.call(call -> SILENT);
            bench.eventuallyFails(failures);
        }
        bench.eventuallyOpens();
        assertThat(bench.tool()).isEqualTo(State.CLOSED);
        eventually("the connection is dropped", () -> bench.disconnects() >= 1);
    }

    @Test
    void a_caller_that_leaves_soon_asks_for_no_sign_of_life() {
        PipelineHarness bench = new PipelineHarness(false).giving(HealthCheckResult.SILENT);
        for (int i = 0; i < 10; i++) {
            bench.call(call -> failed(ErrorId.CANCELLED, FailureCategory.CANCELLED, Delivery.UNKNOWN));
        }
        assertThat(bench.pings()).isZero();
        assertThat(bench.failures()).isZero();
    }

    @Test
    void caller_that_leaves_after_five_seconds_without_response_is_one_failure() {
        PipelineHarness bench = new PipelineHarness(false).giving(HealthCheckResult.SILENT);
        bench.call(call -> {
            bench.later(Duration.ofSeconds(5));
            return failed(ErrorId.CANCELLED, FailureCategory.CANCELLED, Delivery.UNKNOWN);
        });
        eventually("one failure is counted", () -> bench.failures() == 1);
    }

    // ---- Attempts

    @Test
    void unsent_call_is_retried_and_settles_one_permit() {
        PipelineHarness bench = new PipelineHarness(true);
        Outcome unsent = failed(ErrorId.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT);
        AtomicInteger attempts = new AtomicInteger();
        Outcome outcome = bench.call(call -> attempts.incrementAndGet() < 3 ? unsent : PipelineHarness.DONE);
        assertThat(outcome).isSameAs(PipelineHarness.DONE);
        assertThat(attempts).hasValue(3);
        assertThat(bench.failures()).isZero();
    }

    @Test
    void call_that_may_have_run_is_not_retried() {
        PipelineHarness bench = new PipelineHarness(true);
        AtomicInteger attempts = new AtomicInteger();
        bench.call(call -> {
            attempts.incrementAndGet();
            return failed(ErrorId.HTTP_ERROR, FailureCategory.HTTP, Delivery.UNKNOWN);
        });
        assertThat(attempts).hasValue(1);
        assertThat(bench.failures()).isEqualTo(1);
    }

    @Test
    void more_calls_than_the_pipeline_takes_are_refused_with_a_time() throws InterruptedException {
        PipelineHarness bench =
                new PipelineHarness(PipelineRules.of("server", false).with(new FairBulkhead.Limits(1, 0, 1 << 20)));
        CountDownLatch in = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread first = Thread.ofVirtual()
                .start(() -> bench.call(call -> {
                    in.countDown();
                    await(end);
                    return PipelineHarness.DONE;
                }));
        in.await();
        CallFailure refused = failure(bench.call(call -> PipelineHarness.DONE));
        end.countDown();
        first.join();
        assertThat(refused.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(refused.category()).isEqualTo(FailureCategory.LOCAL);
        assertThat(Objects.requireNonNull(refused.retryAfter())).isPositive();
        assertThat(bench.failures()).isZero();
    }

    @Test
    void call_that_waits_when_the_breaker_opens_is_rejected_by_it() throws InterruptedException {
        PipelineHarness bench = new PipelineHarness(PipelineRules.of("server", false)
                .with(BreakerPolicy.defaults().with(new TripRule.Consecutive(1)))
                .with(new FairBulkhead.Limits(1, 10, 1 << 20)));
        CountDownLatch in = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread first = Thread.ofVirtual()
                .start(() -> bench.call(call -> {
                    in.countDown();
                    await(end);
                    return UNAVAILABLE;
                }));
        in.await();
        AtomicReference<Outcome> second = new AtomicReference<>(PipelineHarness.DONE);
        Thread waiting = Thread.ofVirtual().start(() -> second.set(bench.call(call -> PipelineHarness.DONE)));
        eventually("one call is waiting", () -> bench.pipeline().waiting() == 1);
        end.countDown();
        first.join();
        waiting.join();
        assertThat(failure(second.get()).code()).isEqualTo(ErrorCode.BREAKER_OPEN);
    }

    @Test
    void call_whose_connection_the_gateway_ended_has_an_unknown_outcome() throws InterruptedException {
        PipelineHarness bench = new PipelineHarness(PipelineRules.of("server", false)
                        .with(BreakerPolicy.defaults().with(new TripRule.Consecutive(1))))
                .giving(HealthCheckResult.SILENT)
                .beside(1);
        CountDownLatch in = new CountDownLatch(1);
        AtomicReference<Outcome> other = new AtomicReference<>(PipelineHarness.DONE);
        Thread running = Thread.ofVirtual()
                .start(() -> other.set(bench.call(call -> {
                    in.countDown();
                    bench.eventuallyDisconnects();
                    return failed(ErrorId.CANCELLED, FailureCategory.LOCAL, Delivery.UNKNOWN);
                })));
        in.await();
        bench.call(call -> SILENT);
        running.join();
        assertThat(failure(other.get()).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void silent_process_without_other_calls_is_terminated_at_once() {
        PipelineHarness bench = new PipelineHarness(false).giving(HealthCheckResult.SILENT);
        bench.call(call -> SILENT);
        bench.eventuallyDisconnects();
        assertThat(bench.server()).isEqualTo(State.CLOSED);
    }

    @Test
    void internal_request_does_not_keep_a_silent_process() throws InterruptedException {
        PipelineHarness bench =
                new PipelineHarness(false).giving(HealthCheckResult.SILENT).beside(1);
        CountDownLatch in = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        Thread looking = Thread.ofVirtual()
                .start(() -> bench.call(PipelineCall.Kind.LOOKING, call -> {
                    in.countDown();
                    bench.eventuallyDisconnects();
                    ended.set(true);
                    return failed(ErrorId.CANCELLED, FailureCategory.LOCAL, Delivery.UNKNOWN);
                }));
        in.await();

        bench.call(call -> SILENT);

        looking.join();
        assertThat(ended).isTrue();
        assertThat(bench.server()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_silent_server_over_a_network_is_not_cut_off_from_others() {
        PipelineHarness bench = new PipelineHarness(true).giving(HealthCheckResult.SILENT);
        for (int i = 1; i <= 5; i++) {
            long failures = i;
            bench.call(call -> SILENT);
            bench.eventuallyFails(failures);
        }
        bench.eventuallyOpens();
        assertThat(bench.disconnects()).isZero();
    }

    @Test
    void an_answer_that_proves_nothing_neither_resets_nor_closes() {
        PipelineHarness bench = new PipelineHarness(false);
        for (int i = 0; i < 5; i++) {
            bench.call(PipelineCall.Kind.LOOKING, call -> PipelineHarness.DONE);
            bench.call(call -> UNAVAILABLE);
        }
        assertThat(bench.server()).isEqualTo(State.OPEN);
        bench.later(Duration.ofSeconds(31));
        bench.call(PipelineCall.Kind.LOOKING, call -> PipelineHarness.DONE);
        assertThat(bench.server()).isEqualTo(State.HALF_OPEN);
        bench.call(call -> PipelineHarness.DONE);
        assertThat(bench.server()).isEqualTo(State.CLOSED);
    }
}
