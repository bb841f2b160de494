package dev.fusebox.gateway.config;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Preset;
import dev.fusebox.breaker.TripRule.Consecutive;
import dev.fusebox.breaker.TripRule.SlidingWindow;
import dev.fusebox.breaker.TripRule.WindowOrStreak;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a preset says, as if it stood in the file. Pure functions.
final class PresetSection {
    private PresetSection() {}

    /// All keys that it has an opinion on; none without a preset. `maxCooldownMs` is not among them: what limits
    /// its cooldown is that it does not grow.
    static ConfigSection of(@Nullable Preset preset, ProblemList problems) {
        Map<String, Object> values = new HashMap<>();
        if (preset != null) {
            BreakerPolicy policy = preset.policy();
            values.put(BreakerKeys.COOLDOWN_MS.name(), policy.cooldown().base().toMillis());
            values.put(BreakerKeys.COOLDOWN_GROWTH.name(), policy.cooldown().growth());
            values.put(BreakerKeys.JITTER.name(), policy.cooldown().jitter());
            values.put(BreakerKeys.HALF_OPEN_MAX_CALLS.name(), (long)
                    policy.halfOpen().maxCalls());
            values.put(BreakerKeys.SUCCESSES_TO_CLOSE.name(), (long)
                    policy.halfOpen().successesToClose());
            values.putAll(tripRule(policy));
        }
        return ConfigSection.made(SourceLocation.nowhere(problems), values);
    }

    private static Map<String, Object> tripRule(BreakerPolicy policy) {
        return switch (policy.tripRule()) {
            case Consecutive(int failures) ->
                Map.of(BreakerKeys.MODE.name(), TripMode.CONSECUTIVE, BreakerKeys.FAILURE_THRESHOLD.name(), (long)
                        failures);
            case SlidingWindow window -> window(window);
            case WindowOrStreak both -> window(both.window());
        };
    }

    private static Map<String, Object> window(SlidingWindow window) {
        Map<String, Object> values = new HashMap<>();
        values.put(BreakerKeys.MODE.name(), TripMode.WINDOW);
        values.put(BreakerKeys.WINDOW_MS.name(), window.length().toMillis());
        values.put(BreakerKeys.MINIMUM_CALLS.name(), (long) window.minimumCalls());
        Integer failures = window.failureThreshold();
        if (failures != null) {
            values.put(BreakerKeys.FAILURE_THRESHOLD.name(), failures.longValue());
        }
        return values;
    }

    /// What it says of crashes: two of them count none, and one stops a server that crashes too often.
    static ConfigSection recovery(@Nullable Preset preset, ProblemList problems) {
        if (preset == null) {
            return ConfigSection.made(SourceLocation.nowhere(problems), Map.of());
        }
        Map<String, Object> values = switch (preset) {
            case METAMCP, OPENAB -> Map.of(RecoveryKeys.MAX_CRASHES.name(), 0L);
            case DEPLOYSTACK -> Map.of(RecoveryKeys.AFTER_MAX_CRASHES.name(), AfterMaxCrashes.STOP);
            case NEUROLINK, FAST_API, DATABASE, LONG_RUNNING, FLAKY, STDIO_COLD_START -> Map.of();
        };
        return ConfigSection.made(SourceLocation.nowhere(problems), values);
    }

    /// How long a call may take by it; null if that is not its matter: two of them are numbers for breakers only.
    static @Nullable Duration callTimeout(@Nullable Preset preset) {
        if (preset == null) {
            return null;
        }
        return switch (preset) {
            case METAMCP, OPENAB, DEPLOYSTACK -> null;
            case NEUROLINK, FAST_API, DATABASE, LONG_RUNNING, FLAKY, STDIO_COLD_START ->
                preset.policy().callTimeout();
        };
    }
}
