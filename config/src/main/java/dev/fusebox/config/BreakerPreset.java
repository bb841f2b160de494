package dev.fusebox.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A named set of values for breakers: the values of known gateways, and profiles for five kinds of tools. Each
/// has the equivalent sections `breaker` and `recovery`.
enum BreakerPreset {
    /// The values of MetaMCP, which counts no crashes.
    METAMCP(consecutive(5, 30), "{\"maxCrashes\":0}", false, 0),
    /// The values of OpenAB, which counts no crashes.
    OPENAB(consecutive(3, 60), "{\"maxCrashes\":0}", false, 0),
    /// The values of NeuroLink.
    NEUROLINK(window(5, 60, 3), "{}", false, 60),
    /// DeployStack has no breaker, and stops servers that crash too often.
    DEPLOYSTACK(
            "{\"mode\":\"consecutive\",\"failureThreshold\":5,\"cooldownMs\":30000,\"cooldownGrowth\":2,\"jitter\":0.1,"
                    + "\"halfOpenMaxCalls\":1,\"successesToClose\":1}",
            "{\"afterMaxCrashes\":\"stop\"}",
            true,
            0),
    /// Web APIs.
    FAST_API(window(5, 30, 2), "{}", true, 10),
    /// Queries.
    DATABASE(window(3, 60, 3), "{}", true, 30),
    /// Analyses.
    LONG_RUNNING(window(5, 120, 1), "{}", true, 120),
    /// Services that fail often.
    FLAKY(window(10, 30, 5), "{}", true, 15),
    /// Child processes that start slowly.
    STDIO_COLD_START(window(5, 60, 3), "{}", true, 60);

    private final String breaker;
    private final String recovery;
    private final boolean hasExtraCalls;
    private final int timeoutSeconds;

    BreakerPreset(String breaker, String recovery, boolean hasExtraCalls, int timeoutSeconds) {
        this.breaker = breaker;
        this.recovery = recovery;
        this.hasExtraCalls = hasExtraCalls;
        this.timeoutSeconds = timeoutSeconds;
    }

    /// The section `breaker`, as JSON. It has no `maxCooldownMs`: the cooldown of a preset does not grow.
    String breaker() {
        return breaker;
    }

    /// The section `recovery`, as JSON.
    String recovery() {
        return recovery;
    }

    /// Whether a half-open breaker admits further calls while the first ones have no answer.
    boolean hasExtraCalls() {
        return hasExtraCalls;
    }

    /// Whether every crash counts for the server, and none for a single tool.
    boolean countsCrashesForServer() {
        return this == METAMCP || this == OPENAB;
    }

    /// How long a call may take; null if the preset does not say.
    @Nullable
    Duration callTimeout() {
        return timeoutSeconds == 0 ? null : Duration.ofSeconds(timeoutSeconds);
    }

    private static String consecutive(int failures, int cooldownSeconds) {
        return "{\"mode\":\"consecutive\"," + common(failures, cooldownSeconds, 1);
    }

    private static String window(int failures, int cooldownSeconds, int probes) {
        return "{\"mode\":\"window\",\"windowMs\":300000,\"minimumCalls\":10,"
                + common(failures, cooldownSeconds, probes);
    }

    private static String common(int failures, int cooldownSeconds, int probes) {
        return "\"failureThreshold\":" + failures + ",\"cooldownMs\":" + cooldownSeconds + "000,\"cooldownGrowth\":1,"
                + "\"jitter\":0,\"halfOpenMaxCalls\":" + probes + ",\"successesToClose\":" + probes + "}";
    }
}
