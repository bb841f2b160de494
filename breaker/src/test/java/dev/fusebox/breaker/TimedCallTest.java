package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls on the caller's own thread that are interrupted when their time is over; the alarm rings by hand. */
class TimedCallTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ByHandTimer timer = new ByHandTimer();
    private final Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE.withoutExtraCalls());

    @AfterEach
    void leave_no_interruption_behind() {
        assertThat(Thread.interrupted()).isFalse();
    }

    private static boolean waitForEver() throws InterruptedException {
        return new CountDownLatch(1).await(20, TimeUnit.SECONDS);
    }

    @Test
    void work_in_time_gives_its_result_and_cancels_the_alarm() throws Exception {
        assertThat(rig.breaker.call(() -> "result", TIMEOUT, timer)).isEqualTo("result");
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(timer.last().nanos).isEqualTo(TIMEOUT.toNanos());
        assertThat(timer.last().isCancelled()).isTrue();
    }

    @Test
    void the_policy_has_a_timeout_of_its_own() throws Exception {
        assertThat(rig.breaker.call(() -> "result", timer)).isEqualTo("result");
        assertThat(timer.last().nanos).isEqualTo(Duration.ofSeconds(60).toNanos());
    }

    @Test
    void work_that_waits_is_interrupted_and_counted() {
        Thread alarm = new Thread(timer::ring);
        assertThatThrownBy(() -> rig.breaker.call(
                        () -> {
                            alarm.start();
                            return waitForEver();
                        },
                        TIMEOUT,
                        timer))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("no result within 10000 ms")
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(InterruptedException.class));
        assertThat(alarm).satisfies(thread -> thread.join(20_000));
        assertThat(rig.state()).isEqualTo(State.OPEN);
        assertThat(rig.rejection().lastCategory()).isEqualTo("timeout");
    }

    @Test
    void work_that_ignores_the_interruption_is_counted_in_time_and_its_result_dropped() {
        assertThatThrownBy(() -> rig.breaker.call(
                        () -> {
                            timer.ring();
                            assertThat(rig.state()).isEqualTo(State.OPEN);
                            return "too late";
                        },
                        TIMEOUT,
                        timer))
                .isInstanceOf(TimeoutException.class)
                .hasNoSuppressedExceptions();
        assertThat(rig.totals().late()).isZero();
        assertThat(rig.heard(BreakerEvent.CallFailed.class)).hasSize(2);
        assertThat(rig.heard(BreakerEvent.CallSucceeded.class)).isEmpty();
    }

    @Test
    void timer_cancelled_too_late_interrupts_no_thread_and_counts_nothing() throws Exception {
        assertThat(rig.breaker.call(() -> "result", TIMEOUT, timer)).isEqualTo("result");
        timer.last().action.run();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.breaker.snapshot().lastFailure()).extracting("category").isEqualTo("bad");
    }

    @Test
    void timer_that_fires_during_an_exception_interrupts_no_thread() {
        IOException thrown = new IOException("bad");
        assertThat(catchThrowable(() -> rig.breaker.call(
                        () -> {
                            throw thrown;
                        },
                        TIMEOUT,
                        timer)))
                .isSameAs(thrown);
        timer.last().action.run();
        assertThat(timer.last().isCancelled()).isTrue();
        assertThat(rig.rejection().lastCategory()).isEqualTo("other");
    }

    @Test
    void an_interruption_by_somebody_else_abandons_the_call() {
        InterruptedException thrown = new InterruptedException();
        assertThat(catchThrowable(() -> rig.breaker.call(
                        () -> {
                            throw thrown;
                        },
                        TIMEOUT,
                        timer)))
                .isSameAs(thrown);
        assertThat(rig.totals().abandoned()).isEqualTo(1);
        rig.permit();
    }

    @Test
    void an_interruption_that_is_not_ours_stays_with_the_thread() throws Exception {
        rig.breaker.call(
                () -> {
                    Thread.currentThread().interrupt();
                    return "result";
                },
                TIMEOUT,
                timer);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void without_an_alarm_the_work_does_not_begin_and_the_place_is_free() {
        AtomicInteger begun = new AtomicInteger();
        timer.shutdown();
        assertThatThrownBy(() -> rig.breaker.call(begun::incrementAndGet, TIMEOUT, timer))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(begun).hasValue(0);
        assertThat(rig.totals().abandoned()).isEqualTo(1);
        rig.permit();
    }

    @Test
    void a_timer_that_breaks_leaves_the_place_free_too() {
        Error noThread = new InternalError("unable to create a thread");
        timer.breakWith(noThread);
        assertThat(catchThrowable(() -> rig.breaker.call(() -> "never", TIMEOUT, timer)))
                .isSameAs(noThread);
        rig.permit();
    }

    @Test
    void a_refused_call_sets_no_alarm() {
        rig.permit();
        assertThatThrownBy(() -> rig.breaker.call(() -> "never", TIMEOUT, timer))
                .isInstanceOf(CallRejectedException.class);
        assertThat(timer.alarms()).isZero();
    }

    @Test
    void the_lease_of_a_timed_test_is_its_timeout_and_three_seconds() throws Exception {
        rig.breaker.call(
                () -> {
                    rig.assertPlaceIsFreeAfter(TIMEOUT.plusSeconds(3));
                    return "result";
                },
                TIMEOUT,
                timer);
    }
}
