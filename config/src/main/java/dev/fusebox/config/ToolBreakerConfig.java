package dev.fusebox.config;

/// When the breaker of a single tool trips. Immutable.
///
/// @param isEnabled whether tools have breakers
/// @param timeoutThreshold timeouts in a row that trip it
/// @param crashThreshold crashes in a row that trip it; 0 if every crash counts for the server
/// @param window the window whose share of failures trips it
/// @param cooldown how long it stays open
/// @param halfOpenMaxCalls concurrent calls that test whether the tool has recovered
/// @param countsToolErrors whether a result that is an error is a failure
public record ToolBreakerConfig(
        boolean isEnabled,
        int timeoutThreshold,
        int crashThreshold,
        BreakerConfig.Window window,
        BreakerConfig.Cooldown cooldown,
        int halfOpenMaxCalls,
        boolean countsToolErrors) {}
