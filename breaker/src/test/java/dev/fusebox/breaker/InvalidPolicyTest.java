package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings that cannot work are refused when they are made, with the field, the value and the rule. */
class InvalidPolicyTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration YEARS = Duration.ofDays(366);
    private static final String COUNT = ": it must be from 1 to 1000000";
    private static final String REACHABLE = COUNT + ", because a larger threshold would never be reached";
    private static final String TIME = ": it must be from 1 ms to 365 days";
    private static final String SHARE = ": it must be a share above 0 and at most 1";

    @ParameterizedTest(name = "{0}")
    @MethodSource({"tripRules", "windows", "cooldowns", "others", "companions"})
    void is_refused_with_field_value_and_rule(String message, ThrowingCallable making) {
        assertThatThrownBy(making).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    private static Arguments refused(String message, ThrowingCallable making) {
        return arguments(message, making);
    }

    static Stream<Arguments> tripRules() {
        return Stream.of(
                refused("failureThreshold is 0" + COUNT, () -> new TripRule.Consecutive(0)),
                refused("failureThreshold is -1" + COUNT, () -> new TripRule.Consecutive(-1)),
                refused("failureThreshold is 1000001" + COUNT, () -> new TripRule.Consecutive(1_000_001)),
                refused("slowCall is PT0S" + TIME, () -> new TripRule.SlowCalls(Duration.ZERO, 0.5)),
                refused("slowCall is PT-1S" + TIME, () -> new TripRule.SlowCalls(SECOND.negated(), 0.5)),
                refused("slowCall is PT8784H" + TIME, () -> new TripRule.SlowCalls(YEARS, 0.5)),
                refused("slowCallRate is 0.0" + SHARE, () -> new TripRule.SlowCalls(SECOND, 0)),
                refused("slowCallRate is -0.5" + SHARE, () -> new TripRule.SlowCalls(SECOND, -0.5)),
                refused("slowCallRate is 1.01" + SHARE, () -> new TripRule.SlowCalls(SECOND, 1.01)),
                refused("slowCallRate is NaN" + SHARE, () -> new TripRule.SlowCalls(SECOND, Double.NaN)));
    }

    static Stream<Arguments> windows() {
        TripRule.SlidingWindow good = TripRule.SlidingWindow.of(SECOND, 1, 1);
        return Stream.of(
                refused("window is PT0S" + TIME, () -> TripRule.SlidingWindow.of(Duration.ZERO, 1, 1)),
                refused("window is PT-1S" + TIME, () -> TripRule.SlidingWindow.of(SECOND.negated(), 1, 1)),
                refused("window is PT8784H" + TIME, () -> TripRule.SlidingWindow.of(YEARS, 1, 1)),
                refused(
                        "window is PT0.009S: it must be at least 10 ms",
                        () -> TripRule.SlidingWindow.of(Duration.ofMillis(9), 1, 1)),
                refused("minimumCalls is 0" + REACHABLE, () -> TripRule.SlidingWindow.of(SECOND, 0, 1)),
                refused("minimumCalls is -5" + REACHABLE, () -> TripRule.SlidingWindow.of(SECOND, -5, 1)),
                refused("minimumCalls is 1000001" + REACHABLE, () -> TripRule.SlidingWindow.of(SECOND, 1_000_001, 1)),
                refused("failureThreshold is 0" + COUNT, () -> TripRule.SlidingWindow.of(SECOND, 1, 0)),
                refused("failureThreshold is 1000001" + COUNT, () -> TripRule.SlidingWindow.of(SECOND, 1, 1_000_001)),
                refused("failureRate is 0.0" + SHARE, () -> TripRule.SlidingWindow.ofRate(SECOND, 1, 0)),
                refused("failureRate is -1.0" + SHARE, () -> good.orFailureRate(-1)),
                refused("failureRate is 1.5" + SHARE, () -> good.orFailureRate(1.5)),
                refused("failureRate is NaN" + SHARE, () -> good.orFailureRate(Double.NaN)),
                refused("slowCallRate is 2.0" + SHARE, () -> good.orSlowCalls(SECOND, 2)),
                refused(
                        "failureThreshold is missing: a window without failureThreshold, failureRate and"
                                + " slowCalls would never trip",
                        () -> new TripRule.SlidingWindow(SECOND, 1, null, null, null)));
    }

    static Stream<Arguments> cooldowns() {
        String growth = ": it must be from 1.0 to 100.0";
        String jitter = ": it must be from 0.0 to 1.0";
        return Stream.of(
                refused("cooldown is PT0S" + TIME, () -> Cooldown.fixed(Duration.ZERO)),
                refused("cooldown is PT-1S" + TIME, () -> Cooldown.fixed(SECOND.negated())),
                refused("cooldown is PT0.000999999S" + TIME, () -> Cooldown.growing(Duration.ofNanos(999_999))),
                refused("cooldown is PT8784H" + TIME, () -> Cooldown.growing(YEARS)),
                refused("cooldownGrowth is 0.99" + growth, () -> new Cooldown(SECOND, 0.99, SECOND, 0)),
                refused("cooldownGrowth is -2.0" + growth, () -> new Cooldown(SECOND, -2, SECOND, 0)),
                refused("cooldownGrowth is 101.0" + growth, () -> new Cooldown(SECOND, 101, SECOND, 0)),
                refused("cooldownGrowth is NaN" + growth, () -> new Cooldown(SECOND, Double.NaN, SECOND, 0)),
                refused("maxCooldown is PT0S" + TIME, () -> new Cooldown(SECOND, 2, Duration.ZERO, 0)),
                refused("maxCooldown is PT8784H" + TIME, () -> new Cooldown(SECOND, 2, YEARS, 0)),
                refused(
                        "maxCooldown is PT0.999S: it must not be shorter than cooldown, PT1S",
                        () -> new Cooldown(SECOND, 2, Duration.ofMillis(999), 0)),
                refused("jitter is -0.1" + jitter, () -> new Cooldown(SECOND, 2, SECOND, -0.1)),
                refused("jitter is 1.1" + jitter, () -> new Cooldown(SECOND, 2, SECOND, 1.1)),
                refused("jitter is NaN" + jitter, () -> new Cooldown(SECOND, 2, SECOND, Double.NaN)));
    }

    static Stream<Arguments> others() {
        BreakerPolicy policy = BreakerPolicy.defaults();
        CircuitBreaker breaker = CircuitBreaker.of("jira");
        String blank = ": it must not be blank";
        return Stream.of(
                refused("halfOpenMaxCalls is 0: it must be from 1 to 1000", () -> new HalfOpen(0, 1)),
                refused("halfOpenMaxCalls is -1: it must be from 1 to 1000", () -> new HalfOpen(-1, 1)),
                refused("halfOpenMaxCalls is 1001: it must be from 1 to 1000", () -> new HalfOpen(1_001, 1)),
                refused("extraCalls is -1: it must be from 0 to 1000", () -> new HalfOpen(1, 1, -1)),
                refused("extraCalls is 1001: it must be from 0 to 1000", () -> new HalfOpen(1, 1, 1_001)),
                refused("successesToClose is 0" + COUNT, () -> new HalfOpen(1, 0)),
                refused("successesToClose is -3" + COUNT, () -> new HalfOpen(1, -3)),
                refused("successesToClose is 1000001" + COUNT, () -> new HalfOpen(1, 1_000_001)),
                refused("callTimeout is PT0S" + TIME, () -> policy.withCallTimeout(Duration.ZERO)),
                refused("callTimeout is PT-1S" + TIME, () -> policy.withCallTimeout(SECOND.negated())),
                refused("callTimeout is PT8784H" + TIME, () -> policy.withCallTimeout(YEARS)),
                refused("server is \"\"" + blank, () -> CircuitBreaker.of("")),
                refused("server is \"  \"" + blank, () -> BreakerName.of("  ")),
                refused("tool is \"\"" + blank, () -> BreakerName.of("jira").tool("")),
                refused("reason is \" \"" + blank, () -> breaker.forceOpen(" ")),
                refused("timeout is PT0S" + TIME, () -> breaker.call(() -> 1, Duration.ZERO, new ByHandTimer())),
                refused(
                        "timeout is PT0S" + TIME,
                        () -> breaker.callAsync(CompletableFuture::new, Duration.ZERO, new ByHandTimer())));
    }

    static Stream<Arguments> companions() {
        Surroundings surroundings = new ManualTime().surroundings();
        return Stream.of(
                refused("atOnce is 0" + COUNT, () -> new Bulkhead(0, 1)),
                refused("mayWait is -1: it must be from 0 to 1000000", () -> new Bulkhead(1, -1)),
                refused("mayWait is 1000001: it must be from 0 to 1000000", () -> new Bulkhead(1, 1_000_001)),
                refused("atMost is PT0S" + TIME, () -> new Bulkhead(1, 1).enter(Duration.ZERO)),
                refused("perCall is 1.5: it must be from 0.0 to 1.0", () -> new RetryBudget.Rules(0, 1.5, 0, 1)),
                refused("perCall is NaN: it must be from 0.0 to 1.0", () -> new RetryBudget.Rules(0, Double.NaN, 0, 1)),
                refused(
                        "perSecond is -1.0: it must be from 0.0 to 1000000.0",
                        () -> new RetryBudget.Rules(0, 0, -1, 1)),
                refused("cap is 0.5: it must be from 1.0 to 1000000.0", () -> new RetryBudget.Rules(0, 0, 0, 0.5)),
                refused("initial is 2.0: it must be from 0.0 to 1.0", () -> new RetryBudget.Rules(2, 0, 0, 1)),
                refused("initial is -1.0: it must be from 0.0 to 1.0", () -> new RetryBudget.Rules(-1, 0, 0, 1)),
                refused(
                        "maxCrashes is -1: it must be from 0 to 1000",
                        () -> new RestartBudget(-1, SECOND, surroundings)),
                refused(
                        "maxCrashes is 1001: it must be from 0 to 1000",
                        () -> new RestartBudget(1_001, SECOND, surroundings)),
                refused("crashWindow is PT0S" + TIME, () -> new RestartBudget(3, Duration.ZERO, surroundings)),
                refused("backoff is []: it needs at least one wait", Backoff::of),
                refused("backoff is PT0S" + TIME, () -> Backoff.of(SECOND, Duration.ZERO)),
                refused("retry is 0" + COUNT, () -> Backoff.of(SECOND).before(0, surroundings.random())));
    }

    @Test
    void the_bounds_themselves_are_allowed() {
        assertThat(new TripRule.Consecutive(1_000_000)).isNotNull();
        assertThat(TripRule.SlidingWindow.of(Duration.ofMillis(10), 1_000_000, 1))
                .isNotNull();
        assertThat(TripRule.SlidingWindow.ofRate(Duration.ofDays(365), 1, 1)).isNotNull();
        assertThat(new Cooldown(Duration.ofMillis(1), 100, Duration.ofDays(365), 1))
                .isNotNull();
        assertThat(new HalfOpen(1_000, 1_000_000)).isNotNull();
        assertThat(new Backoff(List.of(SECOND), 1)).isNotNull();
        assertThat(new RetryBudget.Rules(1, 1, 1_000_000, 1)).isNotNull();
    }
}
