package dev.fusebox.gateway.tools;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One server at one moment, as models are told of it. Immutable.
///
/// @param status in one word
/// @param message what the status means
/// @param tools how many it has; those that are not known count as none
/// @param breaker the state of its breaker; null if it has none
/// @param lastError what went wrong last; null if nothing did
/// @param retryAfter when it may be called again; null if it may be called, or if nobody knows
/// @param isListed whether it has ever said what it has
/// @param isDown whether calls fail, as far as anybody knows
public record ServerSummary(
        String name,
        String status,
        String message,
        int tools,
        @Nullable String breaker,
        @Nullable String lastError,
        @Nullable Duration retryAfter,
        boolean isListed,
        boolean isDown) {}
