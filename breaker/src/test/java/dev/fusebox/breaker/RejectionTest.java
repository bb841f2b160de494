package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a refused caller is told: in words, and field by field. */
class RejectionTest {
    /** The manual wall clock begins 400 microseconds after a full second; times for callers are full milliseconds. */
    private static final Instant COOLDOWN_OVER = Instant.parse("2026-01-01T00:00:30.001Z");

    @Test
    void call_at_the_reported_retry_time_is_admitted() {
        Rig rig = Rig.consecutive(1);
        rig.fail(1);
        Instant promised = promised(rig.rejection());
        assertThat(promised).isEqualTo(COOLDOWN_OVER);
        rig.time.advance(Duration.between(rig.time.instant(), promised));
        rig.permit();
    }

    @Test
    void the_promised_time_does_not_depend_on_when_it_is_read() {
        Rig rig = Rig.consecutive(1);
        rig.fail(1);
        Rejection rejection = rig.rejection();
        rig.time.advance(Duration.ofSeconds(10));
        assertThat(rejection.retryAt()).isEqualTo(COOLDOWN_OVER);
        assertThat(rejection.modelMessage()).contains("do not retry before 2026-01-01T00:00:30.001Z");
    }

    @Test
    void rejection_for_a_model_names_the_server_the_time_and_the_alternatives() {
        Rig rig = Rig.consecutive(2);
        rig.fail(1);
        rig.permit().failed("offline");
        assertThat(rig.rejection().modelMessage())
                .isEqualTo("Circuit breaker 'jira' is open: jira is down after 2 failures (last: offline);"
                        + " do not retry before 2026-01-01T00:00:30.001Z (in 30000 ms),"
                        + " use another tool, or tell the user that it is unavailable.");
    }

    @Test
    void rejection_for_people_has_state_failures_and_retry_time_in_one_line() {
        Rig rig = Rig.consecutive(5);
        for (int i = 0; i < 5; i++) {
            rig.permit().failed(Verdict.OTHER);
        }
        rig.time.advance(Duration.ofMillis(1_001));

        Rejection rejection = rig.rejection();

        assertThat(rejection.message()).isEqualTo("Circuit breaker 'jira' is open after 5 failures; retry in 29 s");
        assertThat(rejection.modelMessage())
                .startsWith("Circuit breaker 'jira' is open: jira is down after 5 failures");
    }

    @Test
    void retry_time_for_people_is_not_too_early() {
        Rig rig = Rig.consecutive(1);
        rig.fail(1);
        rig.time.advance(Duration.ofMillis(28_999));
        assertThat(rig.rejection().message()).endsWith("; retry in 2 s");
        rig.time.advance(Duration.ofMillis(2));
        assertThat(rig.rejection().message()).endsWith("; retry in 999 ms");
    }

    @Test
    void rejection_by_half_open_breaker_names_the_probe() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        rig.permit();
        Rejection rejection = rig.rejection();
        assertThat(rejection).hasToString("Circuit breaker 'jira' is open until its probe ends; retry in 1 s");
        assertThat(rejection.modelMessage())
                .startsWith(
                        "Circuit breaker 'jira' is open: a probe is testing whether jira has recovered; do not retry")
                .contains("(in 1000 ms)");
        assertThat(rejection.state()).isEqualTo(State.HALF_OPEN);
        assertThat(rejection.retryAfterMs()).isEqualTo(1_000);
        assertThat(rejection.retryAt()).isEqualTo(Instant.parse("2026-01-01T00:00:31.001Z"));
    }

    @Test
    void a_breaker_forced_open_gives_the_reason_and_no_time() {
        Rig rig = Rig.consecutive(1);
        rig.fail(1);
        rig.breaker.forceOpen("moving house");
        Rejection rejection = rig.rejection();
        assertThat(rejection.message())
                .isEqualTo("Circuit breaker 'jira' is open, forced by an operator: moving house");
        assertThat(rejection.modelMessage())
                .isEqualTo("Circuit breaker 'jira' is open: forced open by an operator (moving house);"
                        + " do not retry, use another tool, or tell the user that it is unavailable.");
        assertThat(rejection.retryAfterMs()).isNull();
        assertThat(rejection.retryAfter()).isNull();
        assertThat(rejection.retryAt()).isNull();
        assertThat(rejection.operatorReason()).isEqualTo("moving house");
        assertThat(rejection.failureCount()).isZero();
    }

    @Test
    void fields_of_a_rejection_match_its_texts() {
        Rig rig = Rig.consecutive(1);
        rig.permit().failed("offline");
        Rejection rejection = rig.rejection();
        assertThat(rejection.name()).isEqualTo(BreakerName.of("jira"));
        assertThat(rejection.scope()).isEqualTo(Scope.SERVER);
        assertThat(rejection.state()).isEqualTo(State.OPEN);
        assertThat(rejection.retryAfterMs()).isEqualTo(30_000);
        assertThat(rejection.retryAfter()).isEqualTo(Duration.ofSeconds(30));
        assertThat(rejection.failureCount()).isEqualTo(1);
        assertThat(rejection.lastCategory()).isEqualTo("offline");
        assertThat(rejection.operatorReason()).isNull();
        assertThat(rejection).hasToString(rejection.message());
    }

    @Test
    void the_failure_count_is_that_of_the_last_trip_from_closed() {
        Rig rig = Rig.consecutive(3);
        rig.fail(3);
        rig.time.advance(Rig.COOLDOWN);
        rig.permit().failed("again");
        assertThat(rig.rejection().failureCount()).isEqualTo(3);
        assertThat(rig.rejection().lastCategory()).isEqualTo("again");
    }

    @Test
    void the_time_to_wait_is_rounded_up_and_at_least_one_millisecond() {
        Rig rig = Rig.consecutive(1);
        rig.fail(1);
        rig.time.advanceNanos(1);
        assertThat(rig.rejection().retryAfterMs()).isEqualTo(30_000);
        rig.time.advance(Rig.COOLDOWN.minusNanos(2));
        assertThat(rig.rejection().retryAfterMs()).isEqualTo(1);
    }

    @Test
    void the_exception_is_the_refusal_without_a_stack_trace() {
        Rig rig = Rig.consecutive(1);
        rig.fail(1);
        CallRejectedException thrown =
                catchThrowableOfType(CallRejectedException.class, () -> rig.breaker.call(() -> "never"));
        assertThat(thrown).hasMessage("Circuit breaker 'jira' is open after 1 failure (last: bad); retry in 30 s");
        assertThat(thrown.modelMessage()).isEqualTo(thrown.rejection().modelMessage());
        assertThat(thrown.getStackTrace()).isEmpty();
        assertThat(thrown.breakerName()).isEqualTo(BreakerName.of("jira"));
        assertThat(thrown.state()).isEqualTo(State.OPEN);
        assertThat(thrown.retryAfter()).isEqualTo(Rig.COOLDOWN);
        assertThat(thrown.failureCount()).isEqualTo(1);
        assertThat(thrown.rejection().name()).isEqualTo(thrown.breakerName());
    }

    private static Instant promised(Rejection rejection) {
        @Nullable Instant at = rejection.retryAt();
        assertThat(at).isNotNull();
        return at == null ? Instant.MAX : at;
    }
}
