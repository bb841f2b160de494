package dev.fusebox.gateway.config;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.Preset;
import dev.fusebox.breaker.TripRule.SlidingWindow;
import dev.fusebox.client.resilience.PipelineRules.Tools;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Reads when the breaker of a single tool trips. Immutable.
///
/// @param server the section of the server that has the tools
/// @param file the whole file
record ToolBreakerReader(ConfigSection server, ConfigSection file) {
    private static final CooldownReader.Keys COOLDOWN = new CooldownReader.Keys(
            ToolBreakerKeys.COOLDOWN_MS, ToolBreakerKeys.COOLDOWN_GROWTH, ToolBreakerKeys.MAX_COOLDOWN_MS);

    /// The largest share that chance adds to a cooldown, as for servers.
    private static final double JITTER = 0.1;

    /// @param preset of the server; null for none
    /// @param callTimeout how long a call may take
    ToolBreakerRules read(@Nullable Preset preset, Duration callTimeout) {
        ConfigSection own = server.section(ServerKeys.TOOL_BREAKER);
        ConfigSection common = file.section(FileKeys.TOOL_BREAKER);
        LayeredSection layeredSection = own.over(common);
        int crashes = countsCrashesForServer(preset) ? 0 : whole(layeredSection, ToolBreakerKeys.CRASH_THRESHOLD);
        SlidingWindow window = SlidingWindow.ofRate(
                Duration.ofMillis(layeredSection.value(ToolBreakerKeys.WINDOW_MS)),
                whole(layeredSection, ToolBreakerKeys.MINIMUM_CALLS),
                layeredSection.value(ToolBreakerKeys.FAILURE_RATE));
        ConfigSection home = own.locations().isEmpty() ? common : own;
        Cooldown cooldown = new CooldownReader(layeredSection, home, COOLDOWN).cooldown(JITTER);
        BreakerPolicy policy = new BreakerPolicy(
                Tools.rule(window, whole(layeredSection, ToolBreakerKeys.TIMEOUT_THRESHOLD), crashes),
                cooldown == null ? Tools.USUAL.policy().cooldown() : cooldown,
                new HalfOpen(whole(layeredSection, ToolBreakerKeys.HALF_OPEN_MAX_CALLS), 1),
                callTimeout);
        return new ToolBreakerRules(
                layeredSection.value(ToolBreakerKeys.ENABLED),
                policy,
                layeredSection.value(ToolBreakerKeys.COUNT_TOOL_ERRORS),
                crashes);
    }

    /// As the breakers do that these presets are named for.
    private static boolean countsCrashesForServer(@Nullable Preset preset) {
        return preset == Preset.METAMCP || preset == Preset.OPENAB;
    }

    private static int whole(LayeredSection layeredSection, ConfigKey<Long> key) {
        return Math.toIntExact(layeredSection.value(key));
    }
}
