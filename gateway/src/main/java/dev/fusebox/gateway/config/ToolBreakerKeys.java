package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.Kind.Decimal;
import dev.fusebox.gateway.config.Kind.Whole;
import java.util.List;

/// The keys of `toolBreaker`.
final class ToolBreakerKeys {
    static final Key<Boolean> ENABLED =
            Key.of("enabled", new Kind.Flag(), "true", "Whether tools have breakers of their own.");
    static final Key<Long> TIMEOUT_THRESHOLD =
            Key.of("timeoutThreshold", new Whole(1, 1_000_000), "5", "It opens after this many timeouts in a row.");
    static final Key<Double> FAILURE_RATE = Key.of(
            "failureRate",
            new Decimal(0, 1, true),
            "0.5",
            "It also opens at this share of failed calls, once the window holds minimumCalls; 0.5 is one half.");
    static final Key<Long> CRASH_THRESHOLD = Key.of(
            "crashThreshold",
            new Whole(1, 1_000),
            "3",
            "It also opens after this many crashes that are attributed to the tool, without an answer of the tool in"
                    + " between; two more if the window holds minimumCalls answers of it. The presets metamcp and"
                    + " openab count every crash for the server.");
    static final Key<Long> MINIMUM_CALLS = Key.of(
            "minimumCalls", new Whole(1, 1_000_000), "5", "With fewer calls in the window failureRate is ignored.");
    static final Key<Long> WINDOW_MS =
            Key.of("windowMs", new Whole(10, Times.LONGEST_MILLIS), "300000", "How far back the window reaches.");
    static final Key<Long> COOLDOWN_MS = BreakerKeys.COOLDOWN_MS;
    static final Key<Double> COOLDOWN_GROWTH = BreakerKeys.COOLDOWN_GROWTH;
    static final Key<Long> MAX_COOLDOWN_MS = BreakerKeys.MAX_COOLDOWN_MS;
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
