package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Calls that end as a stage ends. */
class AsyncCallTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Judge EVERYTHING_FAILS = Judge.ofThrowables(thrown -> Verdict.failure("any", thrown));

    private final ByHandTimer timer = new ByHandTimer();
    private final Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE.withoutExtraCalls());
    private final CompletableFuture<String> stage = new CompletableFuture<>();

    /** Why a future failed, without the wrapping that waiting adds. */
    private static @Nullable Throwable failureOf(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        AtomicInteger seen = new AtomicInteger();
        Throwable[] thrown = new Throwable[1];
        future.whenComplete((result, failure) -> {
                    thrown[0] = failure;
                    seen.incrementAndGet();
                })
                .exceptionally(handled -> null);
        assertThat(seen).hasValue(1);
        return thrown[0];
    }

    @Test
    void a_stage_that_succeeds_gives_its_result_and_closes() {
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> stage);
        assertThat(answer).isNotDone();
        stage.complete("result");
        assertThat(answer).isCompletedWithValue("result");
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_stage_that_fails_gives_the_same_exception_and_counts() {
        IOException thrown = new IOException("bad");
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> stage);
        stage.completeExceptionally(thrown);
        assertThat(failureOf(answer)).isSameAs(thrown);
        assertThat(rig.rejection().lastCategory()).isEqualTo("other");
    }

    @Test
    void the_wrapping_of_dependent_stages_is_taken_off() {
        IOException thrown = new IOException("bad");
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> stage.thenApply(text -> text + "!"));
        stage.completeExceptionally(thrown);
        assertThat(failureOf(answer)).isSameAs(thrown);
    }

    @Test
    void a_wrapping_without_anything_inside_stays() {
        CompletionException thrown = new CompletionException("nothing inside", null);
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> stage);
        stage.completeExceptionally(thrown);
        assertThat(failureOf(answer)).isSameAs(thrown);
    }

    @Test
    void a_refusal_is_a_failed_future_and_the_supplier_is_not_asked() {
        rig.permit();
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> {
            asked.incrementAndGet();
            return stage;
        });
        assertThat(failureOf(answer)).isInstanceOf(CallRejectedException.class);
        assertThat(failureOf(rig.breaker.callAsync(() -> stage, TIMEOUT, timer)))
                .isInstanceOf(CallRejectedException.class);
        assertThat(asked).hasValue(0);
        assertThat(timer.alarms()).isZero();
    }

    @Test
    void a_supplier_that_throws_is_a_failed_call() {
        IllegalStateException thrown = new IllegalStateException("no stage");
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> {
            throw thrown;
        });
        assertThat(failureOf(answer)).isSameAs(thrown);
        assertThat(rig.state()).isEqualTo(State.OPEN);
    }

    @Test
    @SuppressWarnings("NullAway") // as a caller in a language without null checks may do
    void a_supplier_that_gives_nothing_is_a_failed_call() {
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> null);
        assertThat(failureOf(answer)).hasMessage("the supplier of the work returned no stage");
        assertThat(rig.state()).isEqualTo(State.OPEN);
    }

    @Test
    void cancelling_the_answer_cancels_the_stage_and_frees_the_place() {
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> stage);
        answer.cancel(true);
        assertThat(stage).isCancelled();
        assertThat(rig.totals().abandoned()).isEqualTo(1);
        rig.permit();
    }

    @Test
    void cancelling_the_result_abandons_the_call_regardless_of_the_judge() {
        Rig strict = Rig.of(Rig.policy(1), EVERYTHING_FAILS);
        strict.breaker.callAsync(() -> stage).cancel(true);
        strict.breaker
                .callAsync(() -> new CompletableFuture<>(), TIMEOUT, timer)
                .cancel(true);
        assertThat(strict.state()).isEqualTo(State.CLOSED);
        assertThat(strict.totals().abandoned()).isEqualTo(2);
        assertThat(timer.last().isCancelled()).isTrue();
    }

    @Test
    void an_answer_completed_by_its_owner_abandons_the_call() {
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> stage);
        answer.complete("found elsewhere");
        assertThat(stage).isCancelled();
        assertThat(rig.totals().abandoned()).isEqualTo(1);
        assertThat(answer).isCompletedWithValue("found elsewhere");
    }

    @Test
    void the_end_of_the_time_cancels_the_stage_and_counts() {
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> stage, TIMEOUT, timer);
        timer.ring();
        assertThat(failureOf(answer)).isInstanceOf(TimeoutException.class).hasMessage("no result within 10000 ms");
        assertThat(stage).isCancelled();
        assertThat(rig.rejection().lastCategory()).isEqualTo("timeout");
        assertThat(rig.totals().abandoned()).isZero();
    }

    @Test
    void a_stage_in_time_cancels_the_alarm_and_an_alarm_after_that_changes_nothing() {
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> stage, TIMEOUT, timer);
        stage.complete("result");
        assertThat(timer.last().isCancelled()).isTrue();
        timer.last().action.run();
        assertThat(answer).isCompletedWithValue("result");
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void stage_that_cannot_be_cancelled_continues_and_its_late_result_is_dropped() {
        CompletableFuture<String> stubborn = new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> toCompletableFuture() {
                throw new UnsupportedOperationException("not this stage");
            }
        };
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> stubborn, TIMEOUT, timer);
        timer.ring();
        stubborn.complete("too late");
        assertThat(failureOf(answer)).isInstanceOf(TimeoutException.class);
        assertThat(rig.state()).isEqualTo(State.OPEN);
        assertThat(rig.totals().late()).isZero();
        assertThat(rig.heard(BreakerEvent.CallSucceeded.class)).isEmpty();
    }

    @Test
    void an_alarm_that_rings_while_the_stage_is_made_cancels_it_at_once() {
        CompletableFuture<String> answer = rig.breaker.callAsync(
                () -> {
                    timer.ring();
                    return stage;
                },
                TIMEOUT,
                timer);
        assertThat(failureOf(answer)).isInstanceOf(TimeoutException.class);
        assertThat(stage).isCancelled();
    }

    @Test
    void without_an_alarm_the_supplier_is_not_asked_and_the_place_is_free() {
        timer.shutdown();
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<Integer> answer =
                rig.breaker.callAsync(() -> CompletableFuture.completedFuture(asked.incrementAndGet()), TIMEOUT, timer);
        assertThat(failureOf(answer)).isInstanceOf(RejectedExecutionException.class);
        assertThat(asked).hasValue(0);
        rig.permit();
    }

    @Test
    void a_timer_that_breaks_is_a_failed_future_and_leaves_the_place_free() {
        Error noThread = new InternalError("unable to create a thread");
        timer.breakWith(noThread);
        assertThat(failureOf(rig.breaker.callAsync(() -> stage, TIMEOUT, timer)))
                .isSameAs(noThread);
        rig.permit();
    }

    @Test
    void a_judge_that_throws_does_not_keep_the_answer_back() {
        Rig faulty = Rig.of(Rig.policy(1), Judge.ofResults(result -> {
            throw new AssertionError("no verdict");
        }));
        CompletableFuture<String> answer = faulty.breaker.callAsync(() -> stage);
        stage.complete("result");
        assertThat(answer).isCompletedWithValue("result");
        assertThat(faulty.totals().faults()).isEqualTo(1);
    }

    @Test
    void the_lease_of_a_timed_test_is_its_timeout_and_three_seconds() {
        CompletableFuture<String> answer = rig.breaker.callAsync(() -> stage, TIMEOUT, timer);
        rig.assertPlaceIsFreeAfter(TIMEOUT.plusSeconds(3));
        assertThat(answer).isNotDone();
    }
}
