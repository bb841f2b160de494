package dev.fusebox.gateway.config;

import dev.fusebox.breaker.BreakerPolicy;

/// What calls to one server keep to. Immutable.
///
/// @param breaker when its breaker trips, with the time for a call as its timeout
/// @param toolBreaker when the breakers of its tools trip
/// @param retry which failed calls are made again
/// @param tools which tools clients see
/// @param mostCrashes after how many it is started no more; 0 for never
public record ServerRules(
        BreakerPolicy breaker, ToolBreakerRules toolBreaker, RetryConfig retry, ToolRules tools, int mostCrashes) {}
