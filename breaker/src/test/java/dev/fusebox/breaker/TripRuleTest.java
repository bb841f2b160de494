package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a closed breaker trips: failures in a row, failures in a window, shares of failures and of slow calls. */
class TripRuleTest {
    private static final Duration WINDOW = Duration.ofSeconds(100);
    private static final Duration BUCKET = Duration.ofSeconds(10);

    private static Rig window(TripRule rule) {
        return Rig.of(BreakerPolicy.defaults().with(rule));
    }

    private static Reason reason(Rig rig) {
        return rig.heard(BreakerEvent.StateChange.class).get(0).reason();
    }

    @Test
    void any_success_zeroes_the_count_of_failures_in_a_row() {
        Rig rig = Rig.consecutive(3);
        rig.fail(2);
        rig.succeed(1);
        assertThat(rig.breaker.snapshot().failureCount()).isZero();
        rig.fail(2);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        rig.fail(1);
        assertThat(reason(rig))
                .isEqualTo(new Reason.ThresholdReached(3))
                .hasToString("failure threshold reached: 3 failures");
    }

    @Test
    void an_abandoned_call_neither_counts_nor_zeroes() {
        Rig rig = Rig.consecutive(2);
        rig.fail(1);
        rig.permit().abandoned();
        assertThat(rig.breaker.snapshot().failureCount()).isEqualTo(1);
        rig.fail(1);
        assertThat(rig.state()).isEqualTo(State.OPEN);
    }

    @Test
    void failures_in_a_row_count_regardless_of_the_time_between() {
        Rig rig = Rig.consecutive(2);
        rig.fail(1);
        rig.time.advance(Duration.ofDays(300));
        rig.fail(1);
        assertThat(rig.state()).isEqualTo(State.OPEN);
    }

    @Test
    void a_window_needs_its_minimum_and_its_threshold() {
        Rig rig = window(TripRule.SlidingWindow.of(WINDOW, 4, 2));
        rig.fail(2);
        rig.succeed(1);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        rig.fail(1);
        assertThat(reason(rig)).isEqualTo(new Reason.ThresholdReached(3));
    }

    @Test
    void a_success_that_completes_the_minimum_does_not_trip() {
        Rig rig = window(TripRule.SlidingWindow.of(WINDOW, 4, 2));
        rig.fail(3);
        rig.succeed(20);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        rig.fail(1);
        assertThat(rig.state()).isEqualTo(State.OPEN);
    }

    @Test
    void window_moves_in_steps_of_a_tenth_of_its_length() {
        Rig rig = window(TripRule.SlidingWindow.of(WINDOW, 1, 3));
        rig.fail(1);
        rig.time.advance(BUCKET);
        rig.fail(1);
        rig.time.advance(WINDOW.minus(BUCKET).minusNanos(1));
        assertThat(rig.breaker.snapshot().failureCount()).isEqualTo(2);
        rig.time.advanceNanos(1);
        assertThat(rig.breaker.snapshot().failureCount()).isEqualTo(1);
        rig.time.advance(BUCKET);
        assertThat(rig.breaker.snapshot().failureCount()).isZero();
    }

    @Test
    void a_long_silence_empties_the_whole_window() {
        Rig rig = window(TripRule.SlidingWindow.of(WINDOW, 1, 3));
        rig.fail(2);
        rig.time.advance(Duration.ofDays(365));
        rig.fail(2);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.breaker.snapshot().totalCalls()).isEqualTo(2);
    }

    @Test
    void a_share_of_failures_trips_at_exactly_that_share() {
        Rig rig = window(TripRule.SlidingWindow.ofRate(WINDOW, 4, 0.5));
        rig.fail(1);
        rig.succeed(2);
        rig.fail(1);
        assertThat(reason(rig))
                .isEqualTo(new Reason.FailureRateReached(0.5, 4))
                .hasToString("failure rate reached: 50 % of 4 calls");
    }

    @Test
    void a_smaller_share_of_failures_does_not_trip() {
        Rig rig = window(TripRule.SlidingWindow.ofRate(WINDOW, 4, 0.5));
        rig.succeed(3);
        rig.fail(2);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.breaker.snapshot().failureRate()).isEqualTo(0.4);
    }

    @Test
    void slow_successes_trip_by_their_share_and_a_call_of_exactly_the_limit_is_not_slow() {
        Duration limit = Duration.ofSeconds(2);
        Rig rig = window(TripRule.SlidingWindow.of(WINDOW, 2, 100).orSlowCalls(limit, 0.5));
        succeedAfter(rig, limit);
        assertThat(rig.breaker.snapshot().counts().slowCalls()).isZero();
        succeedAfter(rig, limit.plusNanos(1));
        assertThat(reason(rig))
                .isEqualTo(new Reason.SlowCallRateReached(0.5, 2))
                .hasToString("slow call rate reached: 50 % of 2 calls");
    }

    @Test
    void the_time_of_a_pause_does_not_make_a_call_slow() {
        Duration limit = Duration.ofSeconds(2);
        Rig rig = window(TripRule.SlidingWindow.of(WINDOW, 1, 100).orSlowCalls(limit, 0.5));
        Permit permit = rig.permit();
        permit.pause(Duration.ofHours(1));
        rig.time.advance(Duration.ofMinutes(59));
        permit.resume();
        rig.time.advance(limit);
        permit.succeeded();
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void slow_failures_count_as_both() {
        Rig rig = window(TripRule.SlidingWindow.of(WINDOW, 100, 100).orSlowCalls(Duration.ofSeconds(1), 1));
        Permit permit = rig.permit();
        rig.time.advance(Duration.ofSeconds(2));
        permit.failed("slow and bad");
        assertThat(rig.breaker.snapshot().counts()).isEqualTo(new Counts(1, 1, 1, 1));
        assertThat(rig.breaker.snapshot().counts().slowCallRate()).isEqualTo(1);
    }

    @Test
    void a_rate_may_be_added_to_a_count() {
        Rig rig = window(TripRule.SlidingWindow.of(WINDOW, 2, 100).orFailureRate(1));
        rig.fail(2);
        assertThat(reason(rig)).isEqualTo(new Reason.FailureRateReached(1, 2));
    }

    private static void succeedAfter(Rig rig, Duration time) {
        Permit permit = rig.permit();
        rig.time.advance(time);
        permit.succeeded();
    }

    // ---- A window, or failures of one category in a row

    private static Rig windowOrStreak() {
        return window(new TripRule.WindowOrStreak(
                TripRule.SlidingWindow.ofRate(WINDOW, 6, 0.5), Map.of("timeout", 4, "crash", 2)));
    }

    private static void fail(Rig rig, String category) {
        rig.permit().failed(category);
    }

    @Test
    void failures_of_one_category_in_a_row_trip_at_its_own_threshold() {
        Rig rig = windowOrStreak();
        fail(rig, "timeout");
        fail(rig, "crash");
        fail(rig, "timeout");
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        fail(rig, "crash");
        assertThat(reason(rig)).isEqualTo(new Reason.ThresholdReached(2));
        assertThat(rig.rejection().failureCount()).isEqualTo(2);
    }

    @Test
    void with_enough_successes_in_the_window_a_row_may_have_to_be_longer() {
        Rig rig = window(new TripRule.WindowOrStreak(
                TripRule.SlidingWindow.ofRate(WINDOW, 6, 1), Map.of("timeout", 4, "crash", 2), Map.of("crash", 3)));
        rig.succeed(6);
        fail(rig, "crash");
        fail(rig, "crash");
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        fail(rig, "crash");
        assertThat(reason(rig)).isEqualTo(new Reason.ThresholdReached(3));
    }

    @Test
    void with_too_few_successes_in_the_window_a_row_is_as_long_as_ever() {
        Rig rig = window(new TripRule.WindowOrStreak(
                TripRule.SlidingWindow.ofRate(WINDOW, 6, 1), Map.of("crash", 2), Map.of("crash", 3)));
        rig.succeed(5);
        fail(rig, "crash");
        fail(rig, "crash");
        assertThat(reason(rig)).isEqualTo(new Reason.ThresholdReached(2));
    }

    @Test
    void successes_outside_of_the_window_do_not_raise_the_streak_threshold() {
        Rig rig = window(new TripRule.WindowOrStreak(
                TripRule.SlidingWindow.ofRate(WINDOW, 6, 1), Map.of("crash", 2), Map.of("crash", 3)));
        rig.succeed(6);
        rig.time.advance(WINDOW.multipliedBy(2));
        fail(rig, "crash");
        fail(rig, "crash");
        assertThat(reason(rig)).isEqualTo(new Reason.ThresholdReached(2));
    }

    @Test
    void a_longer_row_of_a_category_without_one_is_refused_and_so_is_a_shorter_one() {
        TripRule.SlidingWindow window = TripRule.SlidingWindow.ofRate(WINDOW, 6, 1);
        assertThatThrownBy(() -> new TripRule.WindowOrStreak(window, Map.of(), Map.of("crash", 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("provenStreaks");
        assertThatThrownBy(() -> new TripRule.WindowOrStreak(window, Map.of("crash", 3), Map.of("crash", 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("provenStreaks");
    }

    @Test
    void a_success_ends_the_rows_of_all_categories() {
        Rig rig = windowOrStreak();
        rig.succeed(4);
        fail(rig, "crash");
        fail(rig, "timeout");
        rig.succeed(1);
        fail(rig, "crash");
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void small_failure_rate_never_trips_regardless_of_the_number() {
        Rig rig = windowOrStreak();
        for (int i = 0; i < 100; i++) {
            fail(rig, "timeout");
            rig.succeed(9);
        }
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void the_share_of_failures_trips_without_any_row() {
        Rig rig = windowOrStreak();
        for (int i = 0; i < 3; i++) {
            rig.succeed(1);
            fail(rig, "timeout");
        }
        assertThat(reason(rig)).isEqualTo(new Reason.FailureRateReached(0.5, 6));
    }
}
