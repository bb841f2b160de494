package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Faults that circuit breakers are known to have; this one has none of them. */
class KnownFaultsTest {
    private static final BreakerPolicy WINDOW = BreakerPolicy.defaults()
            .with(TripRule.SlidingWindow.of(Duration.ofMinutes(5), 10, 5))
            .with(Cooldown.fixed(Rig.COOLDOWN));

    @Test
    void server_that_crashes_at_every_start_trips_its_breaker() {
        Rig rig = Rig.consecutive(5);
        AtomicInteger starts = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> rig.breaker.call(() -> {
                        starts.incrementAndGet();
                        throw new IOException("exit code 1 before the handshake");
                    }))
                    .isInstanceOfAny(IOException.class, CallRejectedException.class);
        }
        assertThat(starts).hasValue(5);
        assertThat(rig.totals().refusals()).isEqualTo(95);
    }

    @Test
    void refusals_are_not_failures_so_the_breaker_closes_under_traffic() {
        Rig rig = Rig.of(WINDOW);
        rig.fail(10);
        Counts atTrip = rig.breaker.snapshot().counts();
        for (int second = 0; second < 30; second++) {
            rig.rejection();
            rig.time.advance(Duration.ofSeconds(1));
        }
        assertThat(rig.breaker.snapshot().counts()).isEqualTo(atTrip);
        rig.succeed(1);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.totals().refusals()).isEqualTo(30);
    }

    @Test
    void of_a_thousand_callers_at_the_end_of_the_cooldown_exactly_one_is_let_through() throws Exception {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        CountDownLatch go = new CountDownLatch(1);
        Callable<Admission> caller = () -> {
            assertThat(go.await(20, TimeUnit.SECONDS)).isTrue();
            return rig.breaker.tryAcquire();
        };
        ExecutorService threads = Executors.newFixedThreadPool(50);
        List<Future<Admission>> answers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            answers.add(threads.submit(caller));
        }
        go.countDown();
        int let = 0;
        for (Future<Admission> answer : answers) {
            let += answer.get(20, TimeUnit.SECONDS) instanceof Permit ? 1 : 0;
        }
        threads.shutdown();
        assertThat(let).isEqualTo(1);
        assertThat(rig.totals().refusals()).isEqualTo(999);
    }

    @Test
    void one_failure_right_after_recovery_does_not_open_it_again() {
        Rig rig = Rig.of(WINDOW);
        rig.fail(10);
        rig.time.advance(Rig.COOLDOWN);
        rig.succeed(1);
        rig.fail(9);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.breaker.snapshot().totalCalls()).isEqualTo(9);
    }

    @Test
    void a_late_success_from_before_the_trip_does_not_close_the_breaker() {
        Rig rig = Rig.consecutive(1);
        Permit whileOpen = rig.permit();
        Permit whileHalfOpen = rig.permit();
        rig.fail(1);
        whileOpen.succeeded();
        assertThat(rig.state()).isEqualTo(State.OPEN);
        rig.time.advance(Rig.COOLDOWN);
        rig.permit();
        whileHalfOpen.succeeded();
        assertThat(rig.state()).isEqualTo(State.HALF_OPEN);
        assertThat(rig.totals().late()).isEqualTo(2);
    }

    @Test
    void a_late_failure_from_before_the_trip_neither_opens_the_breaker_nor_moves_its_cooldown() {
        Rig rig = Rig.consecutive(1);
        Permit whileOpen = rig.permit();
        Permit whileClosed = rig.permit();
        rig.fail(1);
        rig.time.advance(Duration.ofSeconds(10));
        whileOpen.failed("late");
        assertThat(rig.rejection().retryAfterMs()).isEqualTo(20_000);
        rig.time.advance(Duration.ofSeconds(20));
        rig.succeed(1);
        whileClosed.failed("late");
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_probe_that_ends_in_an_auth_error_frees_its_place_at_once() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        rig.permit().abandoned();
        rig.succeed(1);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_probe_that_is_cancelled_frees_its_place_at_once() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        assertThatThrownBy(() -> rig.breaker.call(() -> {
                    throw new CancellationException();
                }))
                .isInstanceOf(CancellationException.class);
        assertThat(rig.state()).isEqualTo(State.HALF_OPEN);
        rig.succeed(1);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_throwing_listener_changes_neither_result_nor_state() throws Exception {
        Rig rig = Rig.consecutive(1);
        rig.breaker.on(BreakerEvent.class, event -> {
            throw new IllegalStateException("listener");
        });
        assertThat(rig.breaker.call(() -> "result")).isEqualTo("result");
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        rig.fail(1);
        assertThat(rig.path()).containsExactly(State.OPEN);
        assertThat(rig.totals().faults()).isEqualTo(3);
    }
}
