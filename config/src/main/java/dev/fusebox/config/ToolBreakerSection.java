package dev.fusebox.config;

import dev.fusebox.config.ValueType.Decimal;
import dev.fusebox.config.ValueType.Flag;
import dev.fusebox.config.ValueType.Whole;
import org.jspecify.annotations.Nullable;

/// The section `toolBreaker`, of the file and of servers.
final class ToolBreakerSection {
    static final SectionType SECTION = new SectionType("toolBreaker");

    /// The largest random share that is added to a cooldown, as for servers.
    private static final double COOLDOWN_JITTER = 0.1;

    static final ConfigKey<Boolean> ENABLED =
            SECTION.key("enabled", new Flag(), "true", "Whether tools have breakers of their own.");
    static final ConfigKey<Long> TIMEOUT_THRESHOLD = SECTION.key(
            "timeoutThreshold", new Whole(1, 1_000_000), "5", "The breaker opens after this many timeouts in a row.");
    static final ConfigKey<Double> FAILURE_RATE = SECTION.key(
            "failureRate",
            new Decimal(0, 1, true),
            "0.5",
            "The breaker also opens at this share of failed calls, once the window holds minimumCalls;"
                    + " 0.5 is one half.");
    static final ConfigKey<Long> CRASH_THRESHOLD = SECTION.key(
            "crashThreshold",
            new Whole(1, 1_000),
            "3",
            "The breaker also opens after this many crashes that are attributed to the tool, without an"
                    + " answer of the tool in between; two more if the window holds minimumCalls answers of it. The"
                    + " presets metamcp and openab count every crash for the server.");
    static final ConfigKey<Long> MINIMUM_CALLS = SECTION.key(
            "minimumCalls", new Whole(1, 1_000_000), "5", "With fewer calls in the window, failureRate is ignored.");
    static final ConfigKey<Long> WINDOW_MS =
            SECTION.key("windowMs", new Whole(10, Whole.LONGEST_MILLIS), "300000", "The length of the window.");
    static final ConfigKey<Long> COOLDOWN_MS = SECTION.add(BreakerSection.COOLDOWN_MS);
    static final ConfigKey<Double> COOLDOWN_GROWTH = SECTION.add(BreakerSection.COOLDOWN_GROWTH);
    static final ConfigKey<Long> MAX_COOLDOWN_MS = SECTION.add(BreakerSection.MAX_COOLDOWN_MS);
    static final ConfigKey<Long> HALF_OPEN_MAX_CALLS = SECTION.key(
            "halfOpenMaxCalls",
            new Whole(1, 1_000),
            "1",
            "After the cooldown, the number of concurrent calls that test whether the tool has recovered.");
    static final ConfigKey<Boolean> COUNT_TOOL_ERRORS = SECTION.key(
            "countToolErrors", new Flag(), "false", "Whether results that are errors also count as failures.");

    private ToolBreakerSection() {}

    /// @param own the section of the server
    /// @param common the section of the file
    /// @param preset of the server; null for none
    static ToolBreakerConfig read(ConfigSection own, ConfigSection common, @Nullable BreakerPreset preset) {
        ConfigSection values = own.over(common);
        return new ToolBreakerConfig(
                values.value(ENABLED),
                values.number(TIMEOUT_THRESHOLD),
                preset != null && preset.countsCrashesForServer() ? 0 : values.number(CRASH_THRESHOLD),
                new BreakerConfig.Window(
                        values.millis(WINDOW_MS), values.number(MINIMUM_CALLS), values.value(FAILURE_RATE), null, null),
                BreakerSection.cooldown(values, own.locations().isEmpty() ? common : own, COOLDOWN_JITTER),
                values.number(HALF_OPEN_MAX_CALLS),
                values.value(COUNT_TOOL_ERRORS));
    }
}
