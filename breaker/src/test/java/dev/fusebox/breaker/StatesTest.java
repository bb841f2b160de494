package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The five states, and what an operator does with them. */
class StatesTest {
    @Test
    void a_new_breaker_is_closed_and_has_counted_nothing() {
        Rig rig = Rig.consecutive(5);
        BreakerSnapshot snapshot = rig.breaker.snapshot();
        assertThat(snapshot.state()).isEqualTo(State.CLOSED);
        assertThat(snapshot.transition()).isZero();
        assertThat(snapshot.since()).isEqualTo(ManualTime.BEGIN);
        assertThat(snapshot.counts()).isEqualTo(Counts.NONE);
        assertThat(snapshot.lastFailure()).isNull();
        assertThat(snapshot.totals()).isEqualTo(new BreakerSnapshot.Totals(0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void states_print_as_they_are_spelled_outside_of_java() {
        assertThat(State.values())
                .extracting(State::toString)
                .containsExactly("closed", "open", "half-open", "forced-open", "disabled");
    }

    @Test
    void forced_open_lasts_until_reset() {
        Rig rig = Rig.consecutive(5);
        rig.breaker.forceOpen("repairs");
        rig.time.advance(Duration.ofDays(300));
        assertThat(rig.rejection().state()).isEqualTo(State.FORCED_OPEN);
        assertThat(rig.breaker.snapshot().operatorReason()).isEqualTo("repairs");
        rig.breaker.reset();
        rig.succeed(1);
        assertThat(rig.path()).containsExactly(State.FORCED_OPEN, State.CLOSED);
    }

    @Test
    void an_operator_ends_a_cooldown_and_nothing_else() {
        Rig rig = Rig.consecutive(2);
        rig.fail(2);
        Instant since = rig.breaker.snapshot().since();
        rig.breaker.endCooldown();
        assertThat(rig.state()).isEqualTo(State.OPEN);
        assertThat(rig.breaker.snapshot().probeDue()).isTrue();
        assertThat(rig.breaker.snapshot().since()).isEqualTo(since);
        rig.permit().failed("offline");
        assertThat(rig.rejection().state()).isEqualTo(State.OPEN);
        rig.breaker.endCooldown();
        rig.permit().succeeded();
        assertThat(rig.path()).containsExactly(State.OPEN, State.HALF_OPEN, State.OPEN, State.HALF_OPEN, State.CLOSED);
    }

    @Test
    void where_no_cooldown_is_there_is_none_to_end() {
        Rig rig = Rig.consecutive(2);
        rig.breaker.endCooldown();
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        rig.breaker.forceOpen("repairs");
        rig.breaker.endCooldown();
        assertThat(rig.rejection().state()).isEqualTo(State.FORCED_OPEN);
    }

    @Test
    void what_ran_before_does_not_leave_forced_open() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        Permit test = rig.permit();
        rig.breaker.forceOpen("repairs");
        test.succeeded();
        assertThat(rig.state()).isEqualTo(State.FORCED_OPEN);
    }

    @Test
    void forcing_again_changes_the_reason_without_an_event() {
        Rig rig = Rig.consecutive(5);
        rig.breaker.forceOpen("repairs");
        rig.time.advance(Duration.ofHours(1));
        rig.breaker.forceOpen("still repairs");
        BreakerSnapshot snapshot = rig.breaker.snapshot();
        assertThat(snapshot.operatorReason()).isEqualTo("still repairs");
        assertThat(snapshot.since()).isEqualTo(ManualTime.BEGIN);
        assertThat(rig.path()).containsExactly(State.FORCED_OPEN);
    }

    @Test
    void a_disabled_breaker_counts_and_never_refuses() {
        Rig rig = Rig.consecutive(2);
        rig.breaker.disable();
        rig.fail(10);
        rig.succeed(1);
        assertThat(rig.state()).isEqualTo(State.DISABLED);
        assertThat(rig.breaker.snapshot().counts()).isEqualTo(new Counts(11, 10, 0, 0));
        assertThat(rig.totals().trips()).isZero();
        rig.breaker.reset();
        rig.fail(2);
        assertThat(rig.path()).containsExactly(State.DISABLED, State.CLOSED, State.OPEN);
    }

    @Test
    void disabling_an_open_breaker_lets_calls_in_at_once() {
        Rig rig = Rig.consecutive(1);
        rig.fail(1);
        rig.breaker.disable();
        rig.fail(5);
        assertThat(rig.path()).containsExactly(State.OPEN, State.DISABLED);
    }

    @Test
    void reset_closes_from_every_state_and_clears_the_counts() {
        Rig rig = Rig.consecutive(2);
        rig.fail(1);
        Permit running = rig.permit();
        rig.breaker.reset();
        running.failed("before the reset");
        rig.fail(1);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.totals().late()).isEqualTo(1);
        rig.fail(1);
        rig.breaker.reset();
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.breaker.snapshot().counts()).isEqualTo(Counts.NONE);
    }

    @Test
    void reading_the_state_never_changes_it() {
        Rig rig = Rig.consecutive(1);
        rig.fail(1);
        rig.time.advance(Rig.COOLDOWN);
        BreakerSnapshot once = rig.breaker.snapshot();
        assertThat(rig.breaker.toString()).isEqualTo("CircuitBreaker[jira, open]");
        assertThat(rig.breaker.snapshot()).isEqualTo(once);
        assertThat(once.state()).isEqualTo(State.OPEN);
        assertThat(once.probeDue()).isTrue();
        assertThat(rig.path()).containsExactly(State.OPEN);
    }

    @Test
    void a_jump_of_the_wall_clock_changes_no_decision() {
        Rig rig = Rig.consecutive(1);
        rig.fail(1);
        rig.time.jumpWall(Duration.ofDays(2));
        assertThat(rig.rejection().retryAfterMs()).isEqualTo(30_000);
        rig.time.jumpWall(Duration.ofDays(-4));
        rig.time.advance(Rig.COOLDOWN.minusNanos(1));
        rig.rejection();
        rig.time.advanceNanos(1);
        rig.permit();
    }

    @Test
    void transitions_are_numbered_without_gaps() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        rig.fail(1);
        rig.time.advance(Rig.COOLDOWN);
        rig.succeed(1);
        assertThat(rig.heard(BreakerEvent.StateChange.class))
                .extracting(BreakerEvent.StateChange::transition)
                .containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(rig.breaker.snapshot().transition()).isEqualTo(5);
    }
}
