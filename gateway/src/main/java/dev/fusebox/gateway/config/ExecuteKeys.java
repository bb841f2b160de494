package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.ValueType.Whole;
import java.util.List;

/// The keys of `execute`.
final class ExecuteKeys {
    static final ConfigKey<Boolean> ENABLED = ConfigKey.of(
            "enabled",
            new ValueType.Flag(),
            "true",
            "Whether clients may have scripts run that call tools (`mcp_execute`).");
    static final ConfigKey<Long> TIMEOUT_MS = ConfigKey.of(
            "timeoutMs",
            new Whole(1, 3_600_000),
            "120000",
            "How long a script may run at most, its calls included; the call may say less.");
    static final ConfigKey<Long> MEMORY_MB =
            ConfigKey.of("memoryMb", new Whole(8, 4_096), "64", "How much memory a script may use, in mebibytes.");
    static final ConfigKey<Long> MAX_CALLS =
            ConfigKey.of("maxCalls", new Whole(0, 100_000), "200", "How many calls a script may make.");
    static final ConfigKey<Long> MAX_OUTPUT_BYTES = ConfigKey.of(
            "maxOutputBytes",
            new Whole(1, 64L << 20),
            "10485760",
            "How many bytes the result of a script and what it logs may have together.");
    static final ConfigKey<Long> RUNS_AT_ONCE = ConfigKey.of(
            "runsAtOnce", new Whole(1, 64), "2", "How many scripts run at the same time; the others wait their turn.");

    static final List<ConfigKey<?>> ALL =
            List.of(ENABLED, TIMEOUT_MS, MEMORY_MB, MAX_CALLS, MAX_OUTPUT_BYTES, RUNS_AT_ONCE);

    private ExecuteKeys() {}
}
