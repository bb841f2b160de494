package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Whole;
import java.time.Duration;
import java.util.List;

/// The section `recovery`.
final class RecoverySection {
    static final SectionType SECTION = new SectionType("recovery");

    static final ConfigKey<Long> MAX_CRASHES = SECTION.key(
            "maxCrashes",
            new Whole(0, 1_000),
            "3",
            "After this many crashes within crashWindowMs a server is no longer restarted automatically;"
                    + " see afterMaxCrashes. A process that runs for a minute resets the count. On a shared server,"
                    + " crashes caused by one session count once. 0: restarts continue, as in the presets metamcp and"
                    + " openab.");
    static final ConfigKey<Boolean> AFTER_MAX_CRASHES = SECTION.key(
            "afterMaxCrashes",
            Choice.ofTwo("onDemand", "stop"),
            "\"onDemand\"",
            "What happens to calls after maxCrashes. `onDemand`: the next call starts the server, under"
                    + " its breaker. `stop`: calls are rejected until the server is restarted, its configuration"
                    + " changes or its self-probe succeeds; also in the preset deploystack.");
    static final ConfigKey<Long> CRASH_WINDOW_MS =
            SECTION.key("crashWindowMs", Whole.MILLIS, "300000", "How long a crash counts.");
    static final ConfigKey<List<Long>> RESTART_DELAYS_MS = SECTION.key(
            "restartDelaysMs",
            new ListType<>(Whole.MILLIS, 1, 10),
            "[1000, 5000, 15000]",
            "The wait before a process that ended within a minute is restarted; the last one is used for"
                    + " all that follow, except for a process that has never been ready. A call that arrives"
                    + " earlier starts the process at once.");
    static final ConfigKey<Long> HEALTH_CHECK_MS = SECTION.key(
            "healthCheckMs",
            Whole.MILLIS,
            "180000",
            "How often a remote server that is down, or a process with lifecycle `keep-alive`, is checked,"
                    + " plus or minus a tenth.");
    static final ConfigKey<Long> PING_MS = SECTION.key(
            "pingMs",
            new Whole(0, 86_400_000),
            "0",
            "How often a connected idle server is pinged; 0: only after a call that timed out,"
                    + " and with lifecycle `keep-alive`.");
    static final ConfigKey<Long> PING_TIMEOUT_MS = SECTION.key(
            "pingTimeoutMs",
            new Whole(1, 60_000),
            "2000",
            "After a call that timed out: how long the server has to answer a ping before it counts as unresponsive.");
    static final ConfigKey<Long> SELF_PROBE_MS = SECTION.key(
            "selfProbeMs",
            Whole.MILLIS,
            "900000",
            "The wait before a server that crashed too often is probed again; it doubles each time, up to four hours.");

    private RecoverySection() {}

    static LifecycleSettings read(ConfigSection recovery) {
        LifecycleSettings.Polls polls = new LifecycleSettings.Polls(
                recovery.millis(HEALTH_CHECK_MS),
                recovery.millis(PING_MS),
                recovery.millis(SELF_PROBE_MS),
                recovery.millis(PING_TIMEOUT_MS));
        List<Duration> delays = recovery.value(RESTART_DELAYS_MS).stream()
                .map(Duration::ofMillis)
                .toList();
        return new LifecycleSettings(true, crashes(recovery), delays, polls);
    }

    /// @param recovery the section of the file, over that of a preset
    static LifecycleSettings.Crashes crashes(ConfigSection recovery) {
        return new LifecycleSettings.Crashes(
                recovery.number(MAX_CRASHES), recovery.millis(CRASH_WINDOW_MS), recovery.value(AFTER_MAX_CRASHES));
    }
}
