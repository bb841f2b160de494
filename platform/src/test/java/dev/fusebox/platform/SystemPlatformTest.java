package dev.fusebox.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of the real clock, the only ones: time limits are short, bounds are generous.
@Timeout(60)
class SystemPlatformTest {
    private static final Duration SHORT = Duration.ofMillis(2);
    private static final Duration LONG = Duration.ofSeconds(50);

    private final Platform platform = Platform.system();

    @Test
    void wait_without_wake_up_lasts_its_whole_limit() throws InterruptedException {
        long start = platform.ticker().nanos();

        assertThat(platform.await(SHORT, () -> false)).isFalse();

        assertThat(platform.ticker().nanos() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
    }

    @Test
    void late_unpark_does_not_shorten_the_next_wait() throws InterruptedException {
        long start = platform.ticker().nanos();
        LockSupport.unpark(Thread.currentThread());

        platform.pause(SHORT);

        assertThat(platform.ticker().nanos() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
    }

    @Test
    void unpark_ends_a_long_wait_if_its_condition_holds() throws InterruptedException {
        Thread waiting = Thread.currentThread();
        var done = new AtomicBoolean();
        Thread.ofVirtual().start(() -> {
            done.set(true);
            LockSupport.unpark(waiting);
        });

        assertThat(platform.await(LONG, done::get)).isTrue();
    }

    @Test
    void true_condition_needs_no_wait_even_with_no_time_left() throws InterruptedException {
        assertThat(platform.await(Duration.ZERO, () -> true)).isTrue();
        assertThat(platform.await(Duration.ofSeconds(-1), () -> false)).isFalse();
    }

    @Test
    void interrupt_ends_a_wait_whose_condition_does_not_hold() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> platform.await(LONG, () -> false))
                .isInstanceOf(InterruptedException.class)
                .hasMessageContaining("left to wait");
    }

    @Test
    void action_runs_after_its_delay_and_cannot_be_cancelled_afterwards() throws InterruptedException {
        var ran = new CountDownLatch(1);
        long start = platform.ticker().nanos();

        Timer timer = platform.timers().schedule(SHORT, ran::countDown);

        assertThat(ran.await(50, TimeUnit.SECONDS)).isTrue();
        assertThat(platform.ticker().nanos() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
        assertThat(timer.cancel()).isFalse();
    }

    @Test
    void cancelled_action_never_runs_and_its_thread_ends_at_once() throws InterruptedException {
        var ran = new AtomicInteger();
        var timer = new SystemTimers(platform.ticker()).schedule(LONG.multipliedBy(1000), ran::incrementAndGet);
        spinUntil(() -> timer.thread.getState() == Thread.State.TIMED_WAITING);

        assertThat(timer.cancel()).isTrue();
        assertThat(timer.cancel()).isFalse();

        assertThat(timer.thread.join(LONG)).isTrue();
        assertThat(ran).hasValue(0);
    }

    @Test
    void early_wake_up_does_not_run_an_action_early() throws InterruptedException {
        var ranAt = new AtomicLong();
        long start = platform.ticker().nanos();
        var timer = new SystemTimers(platform.ticker())
                .schedule(SHORT, () -> ranAt.set(platform.ticker().nanos()));

        LockSupport.unpark(timer.thread);
        timer.thread.interrupt();

        assertThat(timer.thread.join(LONG)).isTrue();
        assertThat(ranAt.get() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
    }

    @Test
    void exception_of_an_action_reaches_only_the_handler_of_its_thread() throws InterruptedException {
        var handled = new AtomicReference<Throwable>();
        var timer = new SystemTimers(platform.ticker()).schedule(Duration.ZERO, () -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> handled.set(thrown));
            throw new IllegalStateException("broken action");
        });
        assertThat(timer.thread.join(LONG)).isTrue();
        assertThat(handled.get()).hasMessage("broken action");

        var next = new CountDownLatch(1);
        platform.timers().schedule(Duration.ZERO, next::countDown);
        assertThat(next.await(50, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void cancelling_a_running_action_returns_false_without_waiting() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        Timer timer = platform.timers().schedule(Duration.ZERO, () -> {
            begun.countDown();
            awaitQuietly(release);
            ended.countDown();
        });
        assertThat(begun.await(50, TimeUnit.SECONDS)).isTrue();

        assertThat(timer.cancel()).isFalse();
        assertThat(ended.getCount()).isEqualTo(1);

        release.countDown();
        assertThat(ended.await(50, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void hundred_hanging_actions_do_not_delay_the_next_one() throws InterruptedException {
        var release = new CountDownLatch(1);
        var next = new CountDownLatch(1);
        for (int i = 0; i < 100; i++) {
            platform.timers().schedule(Duration.ZERO, () -> awaitQuietly(release));
        }

        platform.timers().schedule(SHORT, next::countDown);

        assertThat(next.await(50, TimeUnit.SECONDS)).isTrue();
        release.countDown();
    }

    @Test
    void longest_delay_can_be_scheduled_and_cancelled() {
        Timer timer = platform.timers().schedule(Duration.ofSeconds(Long.MAX_VALUE), () -> {});

        assertThat(timer.cancel()).isTrue();
    }

    @Test
    void copy_of_a_platform_keeps_its_other_components() {
        Platform other = platform.withEnvironment(Map.of("A", "b")).withRandom(() -> 7);

        assertThat(other.environment()).containsExactly(Map.entry("A", "b"));
        assertThat(other.random().nextLong()).isEqualTo(7);
        assertThat(other.ticker()).isSameAs(platform.ticker());
        assertThat(other.timers()).isSameAs(platform.timers());
    }

    @Test
    void text_form_contains_no_secrets() {
        assertThat(platform.withEnvironment(Map.of("TOKEN", "hunter2")).toString())
                .doesNotContain("TOKEN")
                .doesNotContain("hunter2");
    }

    private void spinUntil(BooleanSupplier ready) {
        long start = platform.ticker().nanos();
        while (!ready.getAsBoolean()) {
            assertThat(platform.ticker().nanos() - start).isLessThan(LONG.toNanos());
            Thread.onSpinWait();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(50, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
