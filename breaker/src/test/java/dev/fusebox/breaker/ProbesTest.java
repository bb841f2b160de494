package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The places of probes: who holds one, for how long, and who gets it next. */
class ProbesTest {
    private static final HalfOpen LEASE_ONLY = HalfOpen.ONE_PROBE.withoutExtraCalls();

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
        Rig rig = Rig.dueForTests(new HalfOpen(2, 1).withoutExtraCalls());
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
        Rig rig = Rig.dueForTests(LEASE_ONLY);
        Permit overdue = rig.permit();
        rig.time.advance(rig.breaker.policy().lease());
        overdue.pause(Duration.ofMinutes(5));
        rig.permit();
    }

    @Test
    void after_a_pause_that_outlived_its_limit_another_may_begin() {
        Rig rig = Rig.dueForTests(LEASE_ONLY);
        Permit test = rig.permit();
        test.pause(Duration.ofSeconds(1));
        rig.time.advance(Duration.ofSeconds(1));
        test.pause(Duration.ofHours(1));
        rig.time.advance(Duration.ofHours(1));
        rig.assertPlaceIsFreeAfter(rig.breaker.policy().lease());
    }

    @Test
    void a_failure_after_the_place_was_lost_is_not_shown_as_the_last_failure() {
        Rig rig = Rig.dueForTests(LEASE_ONLY);
        Permit overdue = rig.permit();
        rig.time.advance(rig.breaker.policy().lease());
        rig.permit();
        overdue.failed("too late");
        assertThat(rig.rejection().lastCategory()).isEqualTo("bad");
        assertThat(rig.totals().late()).isEqualTo(1);
    }

    @Test
    void a_call_that_is_abandoned_late_is_counted_once_as_late() {
        Rig rig = Rig.dueForTests(LEASE_ONLY);
        Permit overdue = rig.permit();
        rig.time.advance(rig.breaker.policy().lease());
        rig.permit();
        overdue.abandoned();
        assertThat(rig.totals().late()).isEqualTo(1);
        assertThat(rig.totals().abandoned()).isZero();
    }

    @Test
    void the_first_call_after_the_cooldown_is_the_test_and_its_success_closes() {
        Rig rig = Rig.dueForTests(LEASE_ONLY);
        assertThat(rig.state()).isEqualTo(State.OPEN);
        Permit test = rig.permit();
        assertThat(rig.state()).isEqualTo(State.HALF_OPEN);
        assertThat(rig.rejection().state()).isEqualTo(State.HALF_OPEN);
        test.succeeded();
        assertThat(rig.path()).containsExactly(State.OPEN, State.HALF_OPEN, State.CLOSED);
    }

    @Test
    void one_failed_test_opens_again_for_a_fresh_and_grown_cooldown() {
        Rig rig = Rig.of(Rig.policy(1).with(Cooldown.growing(Rig.COOLDOWN)));
        rig.fail(1);
        rig.time.advance(Rig.COOLDOWN.multipliedBy(10));
        rig.fail(1);
        assertThat(rig.rejection().retryAfter()).isEqualTo(Rig.COOLDOWN.multipliedBy(2));
        assertThat(rig.totals().trips()).isEqualTo(2);
    }

    @Test
    void at_most_so_many_tests_are_under_way_and_so_many_successes_close() {
        Rig rig = Rig.dueForTests(new HalfOpen(2, 3));
        Permit first = rig.permit();
        Permit second = rig.permit();
        rig.rejection();
        first.succeeded();
        second.succeeded();
        assertThat(rig.state()).isEqualTo(State.HALF_OPEN);
        rig.succeed(1);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_failed_test_opens_although_others_are_under_way_and_those_come_too_late() {
        Rig rig = Rig.dueForTests(new HalfOpen(3, 1));
        Permit first = rig.permit();
        Permit second = rig.permit();
        first.failed("bad");
        second.succeeded();
        assertThat(rig.state()).isEqualTo(State.OPEN);
        assertThat(rig.totals().late()).isEqualTo(1);
    }

    @Test
    void without_extra_calls_the_end_of_the_shortest_lease_frees_a_place() {
        Rig rig = Rig.dueForTests(new HalfOpen(2, 2).withoutExtraCalls());
        rig.permit();
        rig.breaker.tryAcquire(Duration.ofSeconds(7));
        rig.assertPlaceIsFreeAfter(Duration.ofSeconds(7));
    }

    @Test
    void each_second_without_an_answer_lets_one_more_test_in_up_to_three() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        rig.permit();
        for (int extra = 1; extra <= 3; extra++) {
            rig.rejection();
            rig.assertPlaceIsFreeAfter(Duration.ofSeconds(1));
        }
        rig.time.advance(Duration.ofSeconds(30));
        rig.rejection();
        assertThat(rig.breaker.snapshot().testsUnderWay()).isEqualTo(4);
    }

    @Test
    void a_quick_test_beside_a_slow_one_closes_and_the_slow_one_comes_too_late() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        Permit slow = rig.permit();
        rig.time.advance(Duration.ofSeconds(1));
        rig.succeed(1);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        slow.failed("too late");
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.totals().late()).isEqualTo(1);
    }

    @Test
    void an_answer_that_does_not_close_yet_starts_the_second_anew() {
        Rig rig = Rig.dueForTests(new HalfOpen(2, 3));
        rig.permit();
        rig.time.advance(Duration.ofMillis(900));
        rig.succeed(1);
        rig.permit();
        rig.assertPlaceIsFreeAfter(Duration.ofSeconds(1));
    }

    @Test
    void the_second_begins_anew_with_a_test_that_is_alone() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        Permit first = rig.permit();
        rig.time.advance(Duration.ofMillis(900));
        first.abandoned();
        rig.permit();
        rig.assertPlaceIsFreeAfter(Duration.ofSeconds(1));
    }

    @Test
    void call_rejected_during_a_probe_may_retry_after_a_second() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        rig.permit();
        rig.time.advanceNanos(1_500_000);
        assertThat(rig.rejection().retryAfterMs()).isEqualTo(1_000);
        Rejection refusal = rig.rejection();
        rig.time.advanceNanos(400_000);
        assertThat(rig.rejection()).isSameAs(refusal);
    }

    @Test
    void a_test_whose_caller_died_is_armed_again_when_its_lease_ends() {
        Rig rig = Rig.dueForTests(LEASE_ONLY);
        rig.permit();
        rig.time.advance(rig.breaker.policy().lease().minusNanos(1));
        rig.rejection();
        rig.time.advanceNanos(1);
        rig.succeed(1);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void overdue_probe_still_counts_until_its_slot_is_taken_over() {
        Rig rig = Rig.dueForTests(LEASE_ONLY);
        Permit overdue = rig.permit();
        rig.time.advance(Duration.ofDays(1));
        overdue.succeeded();
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void the_lease_stands_still_while_the_clock_of_the_call_does() {
        Rig rig = Rig.dueForTests(LEASE_ONLY);
        Permit test = rig.permit();
        rig.time.advance(Duration.ofSeconds(3));
        test.pause(Duration.ofHours(1));
        rig.time.advance(Duration.ofMinutes(30));
        test.resume();
        rig.assertPlaceIsFreeAfter(rig.breaker.policy().lease().minusSeconds(3));
    }

    @Test
    void a_pause_is_over_after_its_limit_and_resuming_late_gives_nothing_back() {
        Rig rig = Rig.dueForTests(LEASE_ONLY);
        Permit test = rig.permit();
        test.pause(Duration.ofSeconds(10));
        rig.time.advance(Duration.ofSeconds(15));
        test.resume();
        rig.assertPlaceIsFreeAfter(rig.breaker.policy().lease().minusSeconds(5));
    }

    @Test
    void pausing_twice_is_pausing_once() {
        Rig rig = Rig.dueForTests(LEASE_ONLY);
        Permit test = rig.permit();
        test.pause(Duration.ofSeconds(10));
        test.pause(Duration.ofHours(10));
        rig.assertPlaceIsFreeAfter(rig.breaker.policy().lease().plusSeconds(10));
    }

    @Test
    void every_probe_is_reported_with_its_number() {
        Rig rig = Rig.dueForTests(new HalfOpen(2, 3));
        rig.succeed(2);
        rig.permit();
        assertThat(rig.heard(BreakerEvent.HalfOpenTest.class)).containsExactly(test(1), test(2), test(3));
    }

    private static BreakerEvent.HalfOpenTest test(int call) {
        return new BreakerEvent.HalfOpenTest(BreakerName.of("jira"), 2, call, 2);
    }
}
