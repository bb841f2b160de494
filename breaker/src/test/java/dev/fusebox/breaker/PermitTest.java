package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A permit ends exactly once, in one of three ways. */
class PermitTest {
    private final Rig rig = Rig.consecutive(2);

    @Test
    void only_the_first_ending_counts() {
        Permit permit = rig.permit();
        assertThat(permit.failed("first")).isTrue();
        assertThat(permit.failed("second")).isFalse();
        assertThat(permit.succeeded()).isFalse();
        assertThat(permit.abandoned()).isFalse();
        assertThat(permit.settle(Verdict.success())).isFalse();
        assertThat(rig.breaker.snapshot().counts()).isEqualTo(new Counts(1, 1, 0, 1));
        assertThat(rig.totals().late()).isZero();
    }

    @Test
    void a_verdict_ends_it_too() {
        assertThat(rig.permit().settle(Verdict.failure("offline", new IllegalStateException("no"))))
                .isTrue();
        assertThat(rig.breaker.snapshot().lastFailure())
                .isEqualTo(new Failure("offline", ManualTime.BEGIN, "java.lang.IllegalStateException: no"))
                .hasToString("offline, java.lang.IllegalStateException: no");
    }

    @Test
    @SuppressWarnings("NullAway") // as a caller in a language without null checks may do
    void no_verdict_does_not_end_it() {
        Permit permit = rig.permit();
        assertThatThrownBy(() -> permit.settle(null)).isInstanceOf(NullPointerException.class);
        assertThat(permit.succeeded()).isTrue();
    }

    @Test
    void closing_abandons_unless_it_has_ended() {
        try (Permit permit = rig.permit()) {
            assertThat(rig.totals().abandoned()).isZero();
            permit.pause(Duration.ofSeconds(1));
        }
        assertThat(rig.totals().abandoned()).isEqualTo(1);
        try (Permit permit = rig.permit()) {
            permit.succeeded();
        }
        assertThat(rig.totals().abandoned()).isEqualTo(1);
        assertThat(rig.breaker.snapshot().totalCalls()).isEqualTo(1);
    }

    @Test
    void a_result_from_before_a_reset_changes_only_the_count_of_late_results() {
        Permit permit = rig.permit();
        rig.breaker.reset();
        assertThat(permit.failed("late")).isTrue();
        BreakerSnapshot snapshot = rig.breaker.snapshot();
        assertThat(snapshot.counts()).isEqualTo(Counts.NONE);
        assertThat(snapshot.lastFailure()).isNull();
        assertThat(snapshot.totals()).isEqualTo(new BreakerSnapshot.Totals(0, 0, 0, 0, 1, 0, 0));
    }

    @Test
    void pausing_and_resuming_after_the_end_changes_nothing() {
        Rig half = Rig.dueForTests(HalfOpen.ONE_PROBE.withoutExtraCalls());
        Permit ended = half.permit();
        ended.abandoned();
        Permit test = half.permit();
        ended.pause(Duration.ofDays(1));
        ended.resume();
        test.resume();
        half.assertPlaceIsFreeAfter(half.breaker.policy().lease());
    }

    @Test
    void a_lease_and_a_pause_need_a_time() {
        assertThatThrownBy(() -> rig.breaker.tryAcquire(Duration.ZERO))
                .hasMessage("lease is PT0S: it must be from 1 ms to 365 days");
        assertThatThrownBy(() -> rig.permit().pause(Duration.ofDays(366)))
                .hasMessage("atMost is PT8784H: it must be from 1 ms to 365 days");
    }

    @Test
    void a_failure_remembers_its_exception_as_short_text() {
        rig.permit().settle(Verdict.failure("other", new IllegalStateException("x".repeat(1_000))));
        Failure last = rig.breaker.snapshot().lastFailure();
        assertThat(last)
                .isNotNull()
                .extracting(Failure::cause)
                .asString()
                .hasSize(203)
                .endsWith("xxx...");
    }

    @Test
    void an_exception_that_cannot_print_itself_is_remembered_by_its_type() {
        rig.permit().settle(Verdict.failure("other", new Unprintable()));
        assertThat(rig.breaker.snapshot().lastFailure())
                .isNotNull()
                .extracting(Failure::cause)
                .isEqualTo(Unprintable.class.getName());
    }

    private static final class Unprintable extends Exception {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("not even that");
        }
    }
}
