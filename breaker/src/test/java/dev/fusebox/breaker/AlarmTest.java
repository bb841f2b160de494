package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Alarms that cannot be had or come too soon, and stages that cannot be listened to. */
class AlarmTest {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final ByHandTimer timer = new ByHandTimer();

    @Test
    void a_probe_keeps_no_place_when_no_thread_can_be_had_for_its_alarm() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        ScheduledThreadPoolExecutor noThreads = new ScheduledThreadPoolExecutor(1, task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        AtomicInteger begun = new AtomicInteger();

        assertThatThrownBy(() -> rig.breaker.call(begun::incrementAndGet, LIMIT, noThreads))
                .isInstanceOf(OutOfMemoryError.class);
        CompletableFuture<Integer> answer = rig.breaker.callAsync(
                () -> CompletableFuture.completedFuture(begun.incrementAndGet()), LIMIT, noThreads);

        assertThat(answer.isCompletedExceptionally()).isTrue();
        assertThat(begun).hasValue(0);
        assertThat(rig.permit().succeeded()).isTrue();
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        noThreads.shutdownNow();
    }

    @Test
    void a_probe_keeps_no_place_when_its_stage_cannot_be_listened_to() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        CompletableFuture<String> deaf = new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
                throw new UnsupportedOperationException("deaf");
            }
        };

        assertThat(rig.breaker.callAsync(() -> deaf).isCompletedExceptionally()).isTrue();

        assertThat(rig.path()).containsExactly(State.OPEN, State.HALF_OPEN, State.OPEN);
    }

    @Test
    void work_whose_time_was_over_before_it_could_begin_is_not_begun() {
        Rig rig = Rig.consecutive(1);
        ScheduledThreadPoolExecutor atOnce = new ScheduledThreadPoolExecutor(1) {
            @Override
            public ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
                action.run();
                return timer.schedule(action, delay, unit);
            }
        };
        AtomicInteger begun = new AtomicInteger();

        CompletableFuture<Integer> answer =
                rig.breaker.callAsync(() -> CompletableFuture.completedFuture(begun.incrementAndGet()), LIMIT, atOnce);

        assertThatThrownBy(answer::join).hasCauseInstanceOf(TimeoutException.class);
        assertThat(begun).hasValue(0);
        assertThat(rig.state()).isEqualTo(State.OPEN);
        atOnce.shutdownNow();
    }
}
