package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How long a breaker stays open, and what does not change that. */
class CooldownTest {
    private static final Duration BASE = Duration.ofSeconds(30);
    private static final Duration MAX = Duration.ofMinutes(5);

    private final Rig rig = Rig.of(Rig.policy(1).with(Cooldown.growing(BASE)));

    private Duration left() {
        return Objects.requireNonNull(rig.rejection().retryAfter());
    }

    private void failTest() {
        rig.time.advance(left());
        rig.fail(1);
    }

    @Test
    void nothing_moves_the_end_of_a_cooldown() {
        Permit running = rig.permit();
        rig.fail(1);
        rig.time.advance(Duration.ofSeconds(10));
        running.failed("late");
        rig.rejection();
        rig.breaker.snapshot();
        assertThat(left()).isEqualTo(Duration.ofSeconds(20));
        rig.time.advance(Duration.ofSeconds(20).minusNanos(1));
        assertThat(left()).isEqualTo(Duration.ofMillis(1));
        assertThat(rig.breaker.snapshot().probeDue()).isFalse();
        rig.time.advanceNanos(1);
        rig.permit();
    }

    @Test
    void the_cooldown_doubles_with_every_trip_in_a_row_up_to_its_maximum() {
        rig.fail(1);
        for (int seconds : new int[] {30, 60, 120, 240, 300, 300}) {
            assertThat(left()).isEqualTo(Duration.ofSeconds(seconds));
            assertThat(rig.breaker.snapshot().cooldown()).isEqualTo(Duration.ofSeconds(seconds));
            failTest();
        }
        assertThat(rig.totals().tripsInARow()).isEqualTo(7);
    }

    @Test
    void chance_only_adds_and_only_from_the_second_trip_in_a_row() {
        rig.time.chance(0.5);
        rig.fail(1);
        assertThat(left()).isEqualTo(Duration.ofSeconds(30));
        failTest();
        assertThat(left()).isEqualTo(Duration.ofSeconds(63));
        rig.time.chance(0);
        failTest();
        assertThat(left()).isEqualTo(BASE.multipliedBy(4));
    }

    @Test
    void a_fixed_cooldown_is_the_same_after_every_trip() {
        Rig fixed = Rig.consecutive(1);
        fixed.time.chance(0.9);
        for (int trip = 0; trip < 5; trip++) {
            fixed.fail(1);
            assertThat(fixed.rejection().retryAfter()).isEqualTo(BASE);
            fixed.time.advance(BASE);
        }
    }

    @Test
    void growth_falls_back_after_the_breaker_stayed_closed_for_the_maximum() {
        rig.fail(1);
        failTest();
        rig.time.advance(left());
        rig.succeed(1);
        rig.time.advance(MAX);
        rig.fail(1);
        assertThat(left()).isEqualTo(BASE);
        assertThat(rig.totals().tripsInARow()).isEqualTo(1);
    }

    @Test
    void a_flapping_server_keeps_its_growth() {
        rig.fail(1);
        rig.time.advance(left());
        rig.succeed(1);
        rig.time.advance(MAX.minusNanos(1));
        rig.fail(1);
        assertThat(left()).isEqualTo(BASE.multipliedBy(2));
    }

    @Test
    void a_reset_takes_growth_back() {
        rig.fail(1);
        failTest();
        rig.breaker.reset();
        rig.fail(1);
        assertThat(left()).isEqualTo(BASE);
        assertThat(rig.totals().trips()).isEqualTo(3);
    }

    @Test
    void a_growing_cooldown_that_begins_above_five_minutes_does_not_grow() {
        assertThat(Cooldown.growing(Duration.ofMinutes(7)))
                .isEqualTo(new Cooldown(Duration.ofMinutes(7), 2, Duration.ofMinutes(7), 0.1));
    }
}
