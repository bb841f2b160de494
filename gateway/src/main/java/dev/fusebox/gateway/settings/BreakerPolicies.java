package dev.fusebox.gateway.settings;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.breaker.TripRule.SlidingWindow;
import dev.fusebox.breaker.TripRule.SlowCalls;
import dev.fusebox.client.resilience.PipelineRules.Tools;
import dev.fusebox.config.BreakerConfig;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ToolBreakerConfig;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The policies of breakers. Pure functions; thread-safe.
public final class BreakerPolicies {
    private BreakerPolicies() {}

    /// The breaker of a server.
    public static BreakerPolicy ofServer(ServerConfig server) {
        BreakerConfig breaker = server.rules().breaker();
        BreakerConfig.HalfOpen halfOpen = breaker.halfOpen();
        HalfOpen usual = new HalfOpen(halfOpen.maxCalls(), halfOpen.successesToClose());
        return new BreakerPolicy(
                tripRule(breaker),
                cooldown(breaker.cooldown()),
                halfOpen.hasExtraCalls() ? usual : usual.withoutExtraCalls(),
                server.times().call());
    }

    /// The breakers of the tools of a server.
    public static Tools ofTools(ServerConfig server) {
        ToolBreakerConfig tools = server.rules().toolBreaker();
        BreakerPolicy policy = new BreakerPolicy(
                Tools.rule(window(null, tools.window()), tools.timeoutThreshold(), tools.crashThreshold()),
                cooldown(tools.cooldown()),
                new HalfOpen(tools.halfOpenMaxCalls(), 1),
                server.times().call());
        return new Tools(tools.isEnabled(), policy, tools.countsToolErrors(), tools.crashThreshold());
    }

    private static TripRule tripRule(BreakerConfig breaker) {
        return breaker.window() == null
                ? new TripRule.Consecutive(Objects.requireNonNull(breaker.failureThreshold()))
                : window(breaker.failureThreshold(), breaker.window());
    }

    private static SlidingWindow window(@Nullable Integer failureThreshold, BreakerConfig.Window window) {
        Duration slowCall = window.slowCall();
        Double slowCallRate = window.slowCallRate();
        return new SlidingWindow(
                window.length(),
                window.minimumCalls(),
                failureThreshold,
                window.failureRate(),
                slowCall == null || slowCallRate == null ? null : new SlowCalls(slowCall, slowCallRate));
    }

    private static Cooldown cooldown(BreakerConfig.Cooldown cooldown) {
        return new Cooldown(cooldown.base(), cooldown.growth(), cooldown.max(), cooldown.jitter());
    }
}
