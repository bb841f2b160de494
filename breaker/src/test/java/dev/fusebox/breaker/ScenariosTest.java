package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the breakers that the presets are named for are documented to do, played in those presets. */
class ScenariosTest {
    /** The preset neurolink with the smaller numbers of its own tests. */
    private static final BreakerPolicy NEUROLINK_SMALL = Preset.NEUROLINK
            .policy()
            .with(TripRule.SlidingWindow.of(Duration.ofSeconds(60), 3, 3))
            .with(Cooldown.fixed(Duration.ofSeconds(1)))
            .with(new HalfOpen(2, 2))
            .withCallTimeout(Duration.ofSeconds(5));

    private static void callAndFail(Rig rig) {
        assertThatThrownBy(() -> rig.breaker.call(() -> {
                    throw new IOException("Service unavailable");
                }))
                .isInstanceOf(IOException.class);
    }

    private static Rig tripped(BreakerPolicy policy, int failures) {
        Rig rig = Rig.of(policy);
        for (int i = 0; i < failures; i++) {
            assertThat(rig.state()).isEqualTo(State.CLOSED);
            callAndFail(rig);
        }
        assertThat(rig.state()).isEqualTo(State.OPEN);
        return rig;
    }

    // ---- neurolink ------------------------------------------------------------------------------------------------

    @Test
    void neurolink_opens_after_reaching_the_failure_threshold_and_then_fails_fast() {
        Rig rig = tripped(NEUROLINK_SMALL, 3);
        AtomicInteger made = new AtomicInteger();
        assertThatThrownBy(() -> rig.breaker.call(made::incrementAndGet))
                .isInstanceOf(CallRejectedException.class)
                .hasMessageStartingWith("Circuit breaker");
        assertThat(made).hasValue(0);
    }

    @Test
    void neurolink_becomes_half_open_with_the_next_call_after_the_reset_timeout() throws Exception {
        Rig rig = tripped(NEUROLINK_SMALL, 3);
        rig.time.advanceMillis(1_100);
        assertThat(rig.breaker.call(() -> "recovered")).isEqualTo("recovered");
        assertThat(rig.state()).isEqualTo(State.HALF_OPEN);
    }

    @Test
    void neurolink_closes_after_successful_half_open_tests() throws Exception {
        Rig rig = tripped(NEUROLINK_SMALL, 3);
        rig.time.advanceMillis(1_100);
        assertThat(rig.breaker.call(() -> "ok")).isEqualTo("ok");
        assertThat(rig.breaker.call(() -> "ok")).isEqualTo("ok");
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void neurolink_with_its_own_numbers_needs_ten_calls_to_trip_and_three_tests_to_close() throws Exception {
        Rig rig = tripped(Preset.NEUROLINK.policy(), 10);
        assertThatThrownBy(() -> rig.breaker.call(() -> "jira.get_issue")).isInstanceOf(CallRejectedException.class);
        rig.time.advance(Duration.ofSeconds(60));
        for (String tool : new String[] {"jira.get_issue", "jira.add_comment", "jira.search"}) {
            assertThat(rig.breaker.call(() -> tool)).isEqualTo(tool);
        }
        assertThat(rig.path()).containsExactly(State.OPEN, State.HALF_OPEN, State.CLOSED);
        assertThat(rig.heard(BreakerEvent.HalfOpenTest.class))
                .extracting(test -> test.call() + "/" + test.maxCalls())
                .containsExactly("1/3", "2/3", "3/3");
    }

    @Test
    void neurolink_snaps_back_to_open_with_a_fresh_reset_timeout_when_a_test_fails() throws Exception {
        Rig rig = tripped(Preset.NEUROLINK.policy(), 10);
        rig.time.advance(Duration.ofSeconds(60));
        assertThat(rig.breaker.call(() -> "ok")).isEqualTo("ok");
        rig.time.advance(Duration.ofSeconds(5));
        callAndFail(rig);
        assertThat(rig.rejection().retryAfterMs()).isEqualTo(60_000);
    }

    @Test
    void neurolink_does_not_judge_three_calls_of_which_two_failed() {
        Rig rig = Rig.of(Preset.NEUROLINK.policy());
        rig.succeed(1);
        rig.fail(2);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void five_failures_and_then_a_thousand_successes_leave_it_closed() {
        Rig rig = Rig.of(Preset.NEUROLINK.policy());
        rig.fail(5);
        rig.succeed(1_000);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void the_manager_tracks_the_health_of_its_fleet() {
        try (Breakers manager = Breakers.settings()
                .policy(Preset.NEUROLINK.policy())
                .surroundings(new ManualTime().surroundings())
                .build()) {
            manager.breaker("service-a");
            manager.breaker("service-b");
            manager.breaker("service-c").forceOpen("simulated outage");
            HealthSummary health = manager.health();
            assertThat(health.totalBreakers()).isEqualTo(3);
            assertThat(health.openBreakers()).isEqualTo(1);
            assertThat(health.unhealthyBreakers()).contains("service-c");
        }
    }

    // ---- metamcp and openab ---------------------------------------------------------------------------------------

    @Test
    void metamcp_goes_from_normal_to_open_to_probe_to_normal() {
        Rig rig = tripped(Preset.METAMCP.policy(), 5);
        rig.time.advanceMillis(29_999);
        rig.rejection();
        rig.time.advanceMillis(1);
        rig.succeed(1);
        assertThat(rig.path()).containsExactly(State.OPEN, State.HALF_OPEN, State.CLOSED);
        rig.fail(4);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void metamcp_goes_from_probe_to_open_again_with_a_fresh_cooldown() {
        Rig rig = tripped(Preset.METAMCP.policy(), 5);
        rig.time.advanceMillis(31_000);
        callAndFail(rig);
        assertThat(rig.rejection().retryAfterMs()).isEqualTo(30_000);
    }

    @Test
    void metamcp_lets_a_single_probe_through() {
        Rig rig = tripped(Preset.METAMCP.policy(), 5);
        rig.time.advanceMillis(30_000);
        rig.permit();
        rig.rejection();
    }

    @Test
    void metamcp_leaves_the_counter_unchanged_by_an_auth_error() {
        Judge judge = Judge.defaults().but(SecurityException.class, Verdict.neither());
        Rig rig = Rig.of(Preset.METAMCP.policy(), judge);
        rig.fail(4);
        assertThatThrownBy(() -> rig.breaker.call(() -> {
                    throw new SecurityException("Authentication failed (HTTP 401)");
                }))
                .isInstanceOf(SecurityException.class);
        assertThat(rig.breaker.snapshot().failureCount()).isEqualTo(4);
        rig.fail(1);
        assertThat(rig.state()).isEqualTo(State.OPEN);
    }

    @Test
    void metamcp_isolates_servers_from_each_other() {
        try (Breakers manager =
                Breakers.settings().policy(Preset.METAMCP.policy()).build()) {
            CircuitBreaker sqlite = manager.breaker("sqlite");
            for (int i = 0; i < 5; i++) {
                ((Permit) sqlite.tryAcquire()).failed("stdio-exit");
            }
            assertThat(sqlite.state()).isEqualTo(State.OPEN);
            assertThat(manager.breaker("playwright").tryAcquire()).isInstanceOf(Permit.class);
        }
    }

    @Test
    void openab_opens_after_three_failures_for_a_minute_and_probes_lazily() {
        Rig rig = tripped(Preset.OPENAB.policy(), 3);
        assertThat(rig.rejection().retryAfterMs()).isEqualTo(60_000);
        rig.time.advanceMillis(60_000);
        assertThat(rig.state()).isEqualTo(State.OPEN);
        rig.succeed(1);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void openab_counts_three_failures_in_a_row_regardless_of_time() {
        Rig rig = Rig.of(Preset.OPENAB.policy());
        rig.fail(2);
        rig.time.advance(Duration.ofMinutes(10));
        rig.fail(1);
        assertThat(rig.state()).isEqualTo(State.OPEN);
    }
}
