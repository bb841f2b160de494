package dev.fusebox.gateway.config;

import dev.fusebox.breaker.BreakerPolicy;
import org.jspecify.annotations.Nullable;

/// What calls to one server keep to. Immutable.
///
/// @param breaker when its breaker trips, with the time for a call as its timeout
/// @param toolBreaker when the breakers of its tools trip
/// @param retry which failed calls are made again
/// @param tools which tools clients see
/// @param mostCrashes after how many it is started no more; 0 for never
/// @param backup the server that steps in for it; null if none does
public record ServerRules(
        BreakerPolicy breaker,
        ToolBreakerRules toolBreaker,
        RetryConfig retry,
        ToolRules tools,
        int mostCrashes,
        @Nullable String backup) {}
