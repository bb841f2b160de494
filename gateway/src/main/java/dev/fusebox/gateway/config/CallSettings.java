package dev.fusebox.gateway.config;

import dev.fusebox.breaker.BreakerPolicy;
import org.jspecify.annotations.Nullable;

/// What calls to one server keep to. Immutable.
///
/// @param breaker when its breaker trips, with the time for a call as its timeout
/// @param toolBreaker when the breakers of its tools trip
/// @param retry which failed calls are made again
/// @param tools which tools clients see
/// @param crashes how many crashes are too many, and what follows then
/// @param backup the server that steps in for it; null if none does
public record CallSettings(
        BreakerPolicy breaker,
        ToolBreakerRules toolBreaker,
        RetryConfig retry,
        ToolSettings tools,
        Crashes crashes,
        @Nullable String backup) {
    /// Too many crashes. Immutable.
    ///
    /// @param most after so many it is not restarted automatically; 0 for never
    /// @param stops whether its calls are refused then
    public record Crashes(int most, boolean stops) {}
}
