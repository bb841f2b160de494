package dev.fusebox.config;

import org.jspecify.annotations.Nullable;

/// The rules for calls to one server. Immutable.
///
/// @param breaker when its breaker trips
/// @param toolBreaker when the breakers of its tools trip
/// @param retry which failed calls are retried
/// @param tools which tools clients see
/// @param crashes the crash budget, and what happens after it
/// @param backup the server that takes over when it is down; null for none
/// @param maxResultBytes how long content of its results may be; [Long#MAX_VALUE] for no limit
public record CallSettings(
        BreakerConfig breaker,
        ToolBreakerConfig toolBreaker,
        RetryConfig retry,
        ToolSettings tools,
        LifecycleSettings.Crashes crashes,
        @Nullable String backup,
        long maxResultBytes) {}
