package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.ValueType.Decimal;
import dev.fusebox.gateway.config.ValueType.Whole;
import java.util.List;

/// The keys of `toolBreaker`.
final class ToolBreakerKeys {
    static final ConfigKey<Boolean> ENABLED =
            ConfigKey.of("enabled", new ValueType.Flag(), "true", "Whether tools have breakers of their own.");
    static final ConfigKey<Long> TIMEOUT_THRESHOLD = ConfigKey.of(
            "timeoutThreshold", new Whole(1, 1_000_000), "5", "It opens after this many timeouts in a row.");
    static final ConfigKey<Double> FAILURE_RATE = ConfigKey.of(
            "failureRate",
            new Decimal(0, 1, true),
            "0.5",
            "It also opens at this share of failed calls, once the window holds minimumCalls; 0.5 is one half.");
    static final ConfigKey<Long> CRASH_THRESHOLD = ConfigKey.of(
            "crashThreshold",
            new Whole(1, 1_000),
            "3",
            "It also opens after this many crashes that are attributed to the tool, without an answer of the tool in"
                    + " between; two more if the window holds minimumCalls answers of it. The presets metamcp and"
                    + " openab count every crash for the server.");
    static final ConfigKey<Long> MINIMUM_CALLS = ConfigKey.of(
            "minimumCalls", new Whole(1, 1_000_000), "5", "With fewer calls in the window failureRate is ignored.");
    static final ConfigKey<Long> WINDOW_MS = ConfigKey.of(
            "windowMs", new Whole(10, DurationBounds.LONGEST_MILLIS), "300000", "How far back the window reaches.");
    static final ConfigKey<Long> COOLDOWN_MS = BreakerKeys.COOLDOWN_MS;
    static final ConfigKey<Double> COOLDOWN_GROWTH = BreakerKeys.COOLDOWN_GROWTH;
    static final ConfigKey<Long> MAX_COOLDOWN_MS = BreakerKeys.MAX_COOLDOWN_MS;
    static final ConfigKey<Long> HALF_OPEN_MAX_CALLS = ConfigKey.of(
            "halfOpenMaxCalls",
            new Whole(1, 1_000),
            "1",
            "After the cooldown, so many calls at once find out whether the tool is well.");
    static final ConfigKey<Boolean> COUNT_TOOL_ERRORS = ConfigKey.of(
            "countToolErrors",
            new ValueType.Flag(),
            "false",
            "Whether results that are errors count as failures, too.");

    static final List<ConfigKey<?>> ALL = List.of(
            ENABLED,
            TIMEOUT_THRESHOLD,
            FAILURE_RATE,
            CRASH_THRESHOLD,
            MINIMUM_CALLS,
            WINDOW_MS,
            COOLDOWN_MS,
            COOLDOWN_GROWTH,
            MAX_COOLDOWN_MS,
            HALF_OPEN_MAX_CALLS,
            COUNT_TOOL_ERRORS);

    private ToolBreakerKeys() {}
}
