package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every number of the defaults, the presets and the profiles, one by one. */
class PresetTest {
    @Test
    void the_default_policy_has_these_numbers() {
        BreakerPolicy policy = BreakerPolicy.defaults();
        assertThat(policy.tripRule()).isEqualTo(new TripRule.Consecutive(5));
        assertThat(policy.cooldown().base()).isEqualTo(Duration.ofSeconds(30));
        assertThat(policy.cooldown().growth()).isEqualTo(2);
        assertThat(policy.cooldown().max()).isEqualTo(Duration.ofMinutes(5));
        assertThat(policy.cooldown().jitter()).isEqualTo(0.1);
        assertThat(policy.halfOpen().maxCalls()).isEqualTo(1);
        assertThat(policy.halfOpen().successesToClose()).isEqualTo(1);
        assertThat(policy.callTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(policy.lease()).isEqualTo(Duration.ofSeconds(63));
    }

    @Test
    void a_breaker_without_settings_has_the_default_policy() {
        assertThat(CircuitBreaker.of("jira").policy()).isEqualTo(BreakerPolicy.defaults());
        assertThat(CircuitBreaker.named("jira").build().policy()).isEqualTo(BreakerPolicy.defaults());
        assertThat(CircuitBreaker.of("jira", Preset.FLAKY.policy()).policy()).isEqualTo(Preset.FLAKY.policy());
        assertThat(CircuitBreaker.of("jira").name()).isEqualTo(BreakerName.of("jira"));
    }

    @ParameterizedTest
    @CsvSource({"metamcp, 5, 30, 60", "openab, 3, 60, 60"})
    void a_preset_that_counts_failures_in_a_row(String label, int failures, int cooldown, int timeout) {
        BreakerPolicy policy = Preset.labelled(label).orElseThrow().policy();
        assertThat(policy.tripRule()).isEqualTo(new TripRule.Consecutive(failures));
        assertThat(policy.halfOpen().maxCalls()).isEqualTo(1);
        assertThat(policy.halfOpen().successesToClose()).isEqualTo(1);
        assertFixed(policy, cooldown, timeout);
    }

    @ParameterizedTest
    @CsvSource({
        "neurolink, 5, 60, 3, 60",
        "fast-api, 5, 30, 2, 10",
        "database, 3, 60, 3, 30",
        "long-running, 5, 120, 1, 120",
        "flaky, 10, 30, 5, 15",
        "stdio-cold-start, 5, 60, 3, 60"
    })
    void a_preset_that_counts_failures_in_a_window(
            String label, int failures, int cooldown, int halfOpenCalls, int timeout) {
        BreakerPolicy policy = Preset.labelled(label).orElseThrow().policy();
        TripRule.SlidingWindow window = (TripRule.SlidingWindow) policy.tripRule();
        assertThat(window.length()).hasSeconds(300);
        assertThat(window.minimumCalls()).isEqualTo(10);
        assertThat(window.failureThreshold()).isEqualTo(failures);
        assertThat(window.failureRate()).isNull();
        assertThat(window.slowCalls()).isNull();
        assertThat(policy.halfOpen().maxCalls()).isEqualTo(halfOpenCalls);
        assertThat(policy.halfOpen().successesToClose()).isEqualTo(halfOpenCalls);
        assertFixed(policy, cooldown, timeout);
    }

    @Test
    void presets_of_known_breakers_let_no_extra_probe_in_and_profiles_do() {
        assertThat(Stream.of(Preset.METAMCP, Preset.OPENAB, Preset.NEUROLINK))
                .allMatch(preset -> preset.policy().halfOpen().extraCalls() == 0);
        assertThat(Stream.of(Preset.FAST_API, Preset.DATABASE, Preset.LONG_RUNNING, Preset.FLAKY))
                .allMatch(preset -> preset.policy().halfOpen().extraCalls() == 3);
        assertThat(BreakerPolicy.defaults().halfOpen().extraCalls()).isEqualTo(3);
    }

    @Test
    void the_preset_without_a_breaker_of_its_own_has_the_default_numbers() {
        assertThat(Preset.DEPLOYSTACK.policy()).isEqualTo(BreakerPolicy.defaults());
    }

    private static void assertFixed(BreakerPolicy policy, int cooldown, int timeout) {
        assertThat(policy.cooldown().base()).isEqualTo(Duration.ofSeconds(cooldown));
        assertThat(policy.cooldown().growth()).isEqualTo(1);
        assertThat(policy.cooldown().jitter()).isZero();
        assertThat(policy.callTimeout()).isEqualTo(Duration.ofSeconds(timeout));
        assertThat(policy.lease()).isEqualTo(Duration.ofSeconds(timeout + 3));
    }

    @Test
    void there_are_nine_presets_and_no_others() {
        assertThat(Preset.values())
                .extracting(Preset::toString)
                .containsExactly(
                        "metamcp",
                        "openab",
                        "neurolink",
                        "deploystack",
                        "fast-api",
                        "database",
                        "long-running",
                        "flaky",
                        "stdio-cold-start");
        assertThat(Preset.labelled("fast_api")).isEmpty();
        assertThat(Preset.labelled("FLAKY")).isEmpty();
    }
}
