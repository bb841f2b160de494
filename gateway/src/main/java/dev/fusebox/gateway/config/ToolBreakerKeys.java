package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.Kind.Whole;
import java.util.List;

/// The keys of `toolBreaker`.
final class ToolBreakerKeys {
    static final Key<Boolean> ENABLED =
            Key.of("enabled", new Kind.Flag(), "true", "Whether tools have breakers of their own.");
    static final Key<Long> TIMEOUT_THRESHOLD =
            Key.of("timeoutThreshold", new Whole(1, 1_000_000), "5", "So many timed-out calls in the window trip it.");
    static final Key<Long> MINIMUM_CALLS =
            Key.of("minimumCalls", new Whole(1, 1_000_000), "5", "With fewer calls in the window nothing is judged.");
    static final Key<Long> WINDOW_MS =
            Key.of("windowMs", new Whole(10, Times.LONGEST_MILLIS), "300000", "How far back the window reaches.");
    static final Key<Long> COOLDOWN_MS = Key.of(
            "cooldownMs",
            Times.MILLIS,
            "30000",
            "How long it stays open after the first trip; twice as long after each further one, up to five minutes.");
    static final Key<Long> HALF_OPEN_MAX_CALLS = Key.of(
            "halfOpenMaxCalls",
            new Whole(1, 1_000),
            "1",
            "After the cooldown, so many calls at once find out whether the tool is well.");
    static final Key<Boolean> COUNT_TOOL_ERRORS = Key.of(
            "countToolErrors", new Kind.Flag(), "false", "Whether results that are errors count as failures, too.");

    static final List<Key<?>> ALL = List.of(
            ENABLED, TIMEOUT_THRESHOLD, MINIMUM_CALLS, WINDOW_MS, COOLDOWN_MS, HALF_OPEN_MAX_CALLS, COUNT_TOOL_ERRORS);

    private ToolBreakerKeys() {}
}
