package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.Kind.Whole;
import java.util.List;

/// The keys of `execute`.
final class ExecuteKeys {
    static final Key<Boolean> ENABLED = Key.of(
            "enabled",
            new Kind.Flag(),
            "true",
            "Whether clients may have scripts run that call tools (`mcp_execute`).");
    static final Key<Long> TIMEOUT_MS = Key.of(
            "timeoutMs",
            new Whole(1, 3_600_000),
            "120000",
            "How long a script may run at most, its calls included; the call may say less.");
    static final Key<Long> MEMORY_MB =
            Key.of("memoryMb", new Whole(8, 4_096), "64", "How much memory a script may use, in mebibytes.");
    static final Key<Long> MAX_CALLS =
            Key.of("maxCalls", new Whole(0, 100_000), "200", "How many calls a script may make.");
    static final Key<Long> MAX_OUTPUT_BYTES = Key.of(
            "maxOutputBytes",
            new Whole(1, 64L << 20),
            "10485760",
            "How many bytes the result of a script and what it logs may have together.");
    static final Key<Long> RUNS_AT_ONCE = Key.of(
            "runsAtOnce", new Whole(1, 64), "2", "How many scripts run at the same time; the others wait their turn.");

    static final List<Key<?>> ALL = List.of(ENABLED, TIMEOUT_MS, MEMORY_MB, MAX_CALLS, MAX_OUTPUT_BYTES, RUNS_AT_ONCE);

    private ExecuteKeys() {}
}
