package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.ValueType.Choice;
import dev.fusebox.gateway.config.ValueType.Whole;
import java.util.List;

/// The keys of `recovery`.
final class RecoveryKeys {
    static final ConfigKey<Long> PING_TIMEOUT_MS = ConfigKey.of(
            "pingTimeoutMs",
            new Whole(1, 60_000),
            "2000",
            "After a call that timed out: how long the server has to answer a ping before it is taken for dead.");

    static final ConfigKey<Long> MAX_CRASHES = ConfigKey.of(
            "maxCrashes",
            new Whole(0, 1_000),
            "3",
            "After this many crashes within crashWindowMs a server is no longer restarted automatically; see"
                    + " afterMaxCrashes. A process that lives a minute clears the count. On a shared server, crashes"
                    + " caused by one session count once. 0: restarts go on, as in the presets metamcp and openab.");
    static final ConfigKey<AfterMaxCrashes> AFTER_MAX_CRASHES = ConfigKey.of(
            "afterMaxCrashes",
            Choice.of(AfterMaxCrashes.values(), AfterMaxCrashes::word),
            "\"onDemand\"",
            "What calls meet after maxCrashes. `onDemand`: the next call starts the server, under its breaker. `stop`:"
                    + " calls are refused until the server is restarted, its configuration changes or its self-probe"
                    + " succeeds; also in the preset deploystack.");
    static final ConfigKey<Long> CRASH_WINDOW_MS =
            ConfigKey.of("crashWindowMs", DurationBounds.MILLIS, "300000", "How long a crash is remembered.");
    static final ConfigKey<List<Long>> RESTART_DELAYS_MS = ConfigKey.of(
            "restartDelaysMs",
            new ListType<>(DurationBounds.MILLIS, 1, 10),
            "[1000, 5000, 15000]",
            "The wait before a process is started again that ended within a minute; the last one serves all that"
                    + " follow, but for a process that has never been ready. A call that comes earlier starts it at"
                    + " once.");
    static final ConfigKey<Long> HEALTH_CHECK_MS = ConfigKey.of(
            "healthCheckMs",
            DurationBounds.MILLIS,
            "180000",
            "How often a remote server that is down, and a process that is kept alive, is asked whether it is there,"
                    + " give or take a tenth.");
    static final ConfigKey<Long> PING_MS = ConfigKey.of(
            "pingMs",
            new Whole(0, 86_400_000),
            "0",
            "How often a server that is connected and has nothing to do is asked whether it is still there; 0: only"
                    + " when a call timed out, and what is kept alive.");
    static final ConfigKey<Long> SELF_PROBE_MS = ConfigKey.of(
            "selfProbeMs",
            DurationBounds.MILLIS,
            "900000",
            "When a server that crashed too often is tried again by itself, and after twice as long each time, four"
                    + " hours at most.");

    static final List<ConfigKey<?>> ALL = List.of(
            MAX_CRASHES,
            AFTER_MAX_CRASHES,
            CRASH_WINDOW_MS,
            RESTART_DELAYS_MS,
            HEALTH_CHECK_MS,
            PING_MS,
            PING_TIMEOUT_MS,
            SELF_PROBE_MS);

    private RecoveryKeys() {}
}
