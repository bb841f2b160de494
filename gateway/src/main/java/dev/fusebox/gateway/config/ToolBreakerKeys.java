package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.Kind.Decimal;
import dev.fusebox.gateway.config.Kind.Whole;
import java.util.List;

/// The keys of `toolBreaker`.
final class ToolBreakerKeys {
    static final Key<Boolean> ENABLED =
            Key.of("enabled", new Kind.Flag(), "true", "Whether tools have breakers of their own.");
    static final Key<Long> TIMEOUT_THRESHOLD =
            Key.of("timeoutThreshold", new Whole(1, 1_000_000), "5", "So many timed-out calls in a row trip it.");
    static final Key<Double> FAILURE_RATE = Key.of(
            "failureRate",
            new Decimal(0, 1, true),
            "0.5",
            "Such a share of failed calls in the window trips it as well, once it holds minimumCalls; 0.5 is one"
                    + " half.");
    static final Key<Long> CRASH_THRESHOLD = Key.of(
            "crashThreshold",
            new Whole(1, 1_000),
            "3",
            "So many crashes of the server that are attributed to the tool, without an answer of the tool in between,"
                    + " trip it. The presets metamcp and openab count every crash for the server.");
    static final Key<Long> MINIMUM_CALLS = Key.of(
            "minimumCalls", new Whole(1, 1_000_000), "5", "With fewer calls in the window failureRate is not judged.");
    static final Key<Long> WINDOW_MS =
            Key.of("windowMs", new Whole(10, Times.LONGEST_MILLIS), "300000", "How far back the window reaches.");
    static final Key<Long> COOLDOWN_MS =
            Key.of("cooldownMs", Times.MILLIS, "30000", "How long it stays open after the first trip.");
    static final Key<Double> COOLDOWN_GROWTH = Key.of(
            "cooldownGrowth",
            new Decimal(1, 100, false),
            "2",
            "The cooldown of each further trip in a row is so many times longer; 1 keeps it.");
    static final Key<Long> MAX_COOLDOWN_MS = Key.of(
            "maxCooldownMs", Times.MILLIS, "300000", "It grows no longer than this, or than `cooldownMs` if left out.");
    static final Key<Long> HALF_OPEN_MAX_CALLS = Key.of(
            "halfOpenMaxCalls",
            new Whole(1, 1_000),
            "1",
            "After the cooldown, so many calls at once find out whether the tool is well.");
    static final Key<Boolean> COUNT_TOOL_ERRORS = Key.of(
            "countToolErrors", new Kind.Flag(), "false", "Whether results that are errors count as failures, too.");

    static final List<Key<?>> ALL = List.of(
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
