package dev.fusebox.config;

import dev.fusebox.config.ValueType.Flag;
import dev.fusebox.config.ValueType.Whole;

/// The section `execute`.
final class ExecuteSection {
    static final SectionType SECTION = new SectionType("execute");

    static final ConfigKey<Boolean> ENABLED = SECTION.key(
            "enabled", new Flag(), "true", "Whether clients may run scripts that call tools (`mcp_execute`).");
    static final ConfigKey<Long> TIMEOUT_MS = SECTION.key(
            "timeoutMs",
            new Whole(1, 3_600_000),
            "120000",
            "The longest run time of a script, its calls included; the call may set a shorter one.");
    static final ConfigKey<Long> MEMORY_MB =
            SECTION.key("memoryMb", new Whole(8, 4_096), "64", "The memory that a script may use, in mebibytes.");
    static final ConfigKey<Long> MAX_CALLS =
            SECTION.key("maxCalls", new Whole(0, 100_000), "200", "The number of calls that a script may make.");
    static final ConfigKey<Long> MAX_OUTPUT_BYTES = SECTION.key(
            "maxOutputBytes",
            new Whole(1, 64L << 20),
            "10485760",
            "The largest size of a script's result and its log together, in bytes.");
    static final ConfigKey<Long> RUNS_AT_ONCE = SECTION.key(
            "runsAtOnce",
            new Whole(1, 64),
            "2",
            "The number of scripts that run at the same time; further scripts are queued.");

    private ExecuteSection() {}

    static ExecuteConfig read(ConfigSection execute) {
        return new ExecuteConfig(
                execute.value(ENABLED),
                execute.millis(TIMEOUT_MS),
                execute.number(MEMORY_MB),
                execute.number(MAX_CALLS),
                execute.number(MAX_OUTPUT_BYTES),
                execute.number(RUNS_AT_ONCE));
    }
}
