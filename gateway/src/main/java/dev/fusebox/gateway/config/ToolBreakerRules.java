package dev.fusebox.gateway.config;

import dev.fusebox.breaker.BreakerPolicy;

/// When the breaker of a single tool trips. Immutable.
///
/// @param isEnabled whether tools have breakers at all
/// @param policy of each of them
/// @param countsToolErrors whether a result that is an error is a failure
/// @param crashThreshold so many crashes in a row trip it; 0 if every crash counts for the server
public record ToolBreakerRules(boolean isEnabled, BreakerPolicy policy, boolean countsToolErrors, int crashThreshold) {}
