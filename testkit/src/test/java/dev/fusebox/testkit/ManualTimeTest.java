package dev.fusebox.testkit;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ManualTimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime();
    private final List<String> ran = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {0, -5, Long.MAX_VALUE - 3_500_000_000L, Long.MAX_VALUE, Long.MIN_VALUE})
    void actions_run_in_order_of_time_then_registration(long start) {
        var clock = ManualTime.startingAt(start);
        schedule(clock, 3, "c");
        schedule(clock, 1, "a");
        schedule(clock, 3, "d");
        schedule(clock, 5, "e");
        schedule(clock, 2, "b");

        clock.advance(SECOND.multipliedBy(4));

        assertThat(ran).containsExactly("a at 1", "b at 2", "c at 3", "d at 3");
        assertThat(clock.nanos() - start).isEqualTo(4_000_000_000L);
        assertThat(clock.pending()).isEqualTo(1);
    }

    private void schedule(ManualTime clock, int seconds, String name) {
        long start = clock.nanos();
        clock.platform()
                .timers()
                .schedule(
                        SECOND.multipliedBy(seconds),
                        () -> ran.add(name + " at " + (clock.nanos() - start) / 1_000_000_000L));
    }

    @Test
    void action_runs_exactly_at_its_time() {
        time.platform().timers().schedule(SECOND, () -> ran.add("x"));

        time.advance(SECOND.minusNanos(1));
        assertThat(ran).isEmpty();
        time.advance(Duration.ofNanos(1));
        assertThat(ran).containsExactly("x");
    }

    @Test
    void action_scheduled_by_an_action_runs_in_the_same_move_if_due() {
        time.platform().timers().schedule(SECOND, () -> {
            ran.add("first");
            time.platform().timers().schedule(SECOND, () -> ran.add("second"));
            time.platform().timers().schedule(SECOND.multipliedBy(2), () -> ran.add("third"));
        });

        time.advance(SECOND.multipliedBy(2));

        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void wall_clock_moves_along_and_can_jump_alone() {
        Instant start = time.instant();
        time.advance(SECOND);
        assertThat(time.platform().wallClock().instant()).isEqualTo(start.plusSeconds(1));

        time.setWallClock(Instant.EPOCH);

        assertThat(time.instant()).isEqualTo(Instant.EPOCH);
        assertThat(time.nanos()).isEqualTo(SECOND.toNanos());
    }

    @Test
    void only_the_first_cancel_returns_true_and_the_action_never_runs() {
        Timer timer = time.platform().timers().schedule(SECOND, () -> ran.add("x"));

        assertThat(timer.cancel()).isTrue();
        assertThat(timer.cancel()).isFalse();
        time.advance(SECOND);

        assertThat(ran).isEmpty();
    }

    @Test
    void cancel_returns_false_while_and_after_the_action_runs() {
        var own = new AtomicReference<Timer>();
        own.set(time.platform()
                .timers()
                .schedule(SECOND, () -> ran.add("cancelled inside: " + own.get().cancel())));

        time.advance(SECOND);

        assertThat(ran).containsExactly("cancelled inside: false");
        assertThat(own.get().cancel()).isFalse();
    }

    @Test
    void action_can_cancel_another_one_of_the_same_time() {
        var second = new AtomicReference<Timer>();
        time.platform()
                .timers()
                .schedule(SECOND, () -> ran.add("cancelled: " + second.get().cancel()));
        second.set(time.platform().timers().schedule(SECOND, () -> ran.add("never")));

        time.advance(SECOND);

        assertThat(ran).containsExactly("cancelled: true");
    }

    @Test
    void exception_of_an_action_stops_neither_the_others_nor_the_time() {
        time.platform().timers().schedule(SECOND, () -> fail("one"));
        time.platform().timers().schedule(SECOND, () -> ran.add("other"));
        time.platform().timers().schedule(SECOND, () -> fail("two"));

        assertThatThrownBy(() -> time.advance(SECOND.multipliedBy(2)))
                .hasMessage("one")
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).extracting("message").containsExactly("two"));

        assertThat(ran).containsExactly("other");
        assertThat(time.nanos()).isEqualTo(2_000_000_000L);
        time.advance(SECOND);
    }

    private static void fail(String message) {
        throw new IllegalStateException(message);
    }

    @Test
    void endlessly_rescheduled_action_is_stopped() {
        var again = new AtomicReference<Runnable>();
        again.set(() -> time.platform().timers().schedule(Duration.ZERO, again.get()));
        again.get().run();

        assertThatThrownBy(() -> time.advance(Duration.ZERO)).hasMessageContaining("endlessly");
    }

    @Test
    void time_moves_forward_only_and_by_one_thread_at_a_time() {
        assertThatThrownBy(() -> time.advance(SECOND.negated())).isInstanceOf(IllegalArgumentException.class);
        time.platform().timers().schedule(SECOND, () -> time.advance(SECOND));

        assertThatThrownBy(() -> time.advance(SECOND)).hasMessageContaining("already being moved");
    }

    @Test
    void move_to_next_timer_stops_there_and_returns_false_without_timers() {
        schedule(time, 7, "a");

        assertThat(time.advanceToNextTimer()).isTrue();
        assertThat(ran).containsExactly("a at 7");
        assertThat(time.advanceToNextTimer()).isFalse();
        assertThat(time.nanos()).isEqualTo(7_000_000_000L);
    }

    @Test
    void longest_delay_is_never_due_and_can_be_cancelled() {
        Timer timer = time.platform().timers().schedule(Duration.ofSeconds(Long.MAX_VALUE), () -> ran.add("x"));

        time.advance(Duration.ofDays(365));

        assertThat(ran).isEmpty();
        assertThat(timer.cancel()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 100})
    void bounded_wait_of_another_thread_ends_when_its_time_has_passed(long start) throws Exception {
        var clock = ManualTime.startingAt(start);
        Platform platform = clock.platform();
        var result = new AtomicReference<Boolean>();
        Thread waiting = Thread.ofVirtual().start(() -> result.set(awaitNothing(platform)));
        clock.awaitPending(1);

        clock.advance(SECOND.minusNanos(1));
        LockSupport.unpark(waiting);
        clock.awaitPending(1);
        assertThat(result.get()).isNull();
        // The woken thread may not have parked again yet; it then waits relative to the time that it has read.
        eventually("the wait has ended", () -> {
            clock.advance(Duration.ofNanos(1));
            return !waiting.isAlive();
        });
        assertThat(result.get()).isFalse();
        assertThat(clock.pending()).isZero();
    }

    private static boolean awaitNothing(Platform platform) {
        try {
            return platform.await(SECOND, () -> false);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void every_test_gets_the_same_random_numbers() {
        var other = new ManualTime();

        assertThat(time.platform().random().longs(20))
                .containsExactly(other.platform().random().longs(20).boxed().toArray(Long[]::new));
    }
}
