package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The places of test calls: who holds one, for how long, and who gets it next. */
class TestCallsTest {
    @Test
    void a_free_place_is_given_away_before_that_of_an_overdue_test() {
        Rig rig = Rig.dueForTests(new HalfOpen(2, 2));
        Permit slow = rig.permit();
        rig.time.advance(rig.breaker.policy().lease());
        rig.succeed(1);
        assertThat(rig.breaker.snapshot().testsUnderWay()).isEqualTo(1);
        slow.succeeded();
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.totals().late()).isZero();
    }

    @Test
    void the_test_that_is_overdue_for_longest_loses_its_place_first() {
        Rig rig = Rig.dueForTests(new HalfOpen(2, 1));
        Permit longer =
                (Permit) rig.breaker.tryAcquire(rig.breaker.policy().lease().plusMillis(1));
        Permit shorter = rig.permit();
        rig.time.advance(rig.breaker.policy().lease().plusMillis(1));
        rig.permit();
        shorter.succeeded();
        assertThat(rig.state()).isEqualTo(State.HALF_OPEN);
        longer.succeeded();
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_pause_does_not_bring_back_a_lease_that_has_run_out() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        Permit overdue = rig.permit();
        rig.time.advance(rig.breaker.policy().lease());
        overdue.pause(Duration.ofMinutes(5));
        rig.permit();
    }

    @Test
    void after_a_pause_that_outlived_its_limit_another_may_begin() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        Permit test = rig.permit();
        test.pause(Duration.ofSeconds(1));
        rig.time.advance(Duration.ofSeconds(1));
        test.pause(Duration.ofHours(1));
        rig.time.advance(Duration.ofHours(1));
        assertThat(rig.rejection().retryAfter()).isEqualTo(rig.breaker.policy().lease());
    }

    @Test
    void a_failure_after_the_place_was_lost_is_not_shown_as_the_last_failure() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        Permit overdue = rig.permit();
        rig.time.advance(rig.breaker.policy().lease());
        rig.permit();
        overdue.failed("too late");
        assertThat(rig.rejection().lastCategory()).isEqualTo("bad");
        assertThat(rig.totals().late()).isEqualTo(1);
    }

    @Test
    void a_call_that_is_abandoned_late_is_counted_once_as_late() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        Permit overdue = rig.permit();
        rig.time.advance(rig.breaker.policy().lease());
        rig.permit();
        overdue.abandoned();
        assertThat(rig.totals().late()).isEqualTo(1);
        assertThat(rig.totals().abandoned()).isZero();
    }
}
