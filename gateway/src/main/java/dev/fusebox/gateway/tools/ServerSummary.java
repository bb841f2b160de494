package dev.fusebox.gateway.tools;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A server's state at one moment, as shown to models. Immutable.
///
/// @param status in one word
/// @param message an explanation of the status
/// @param tools the number of known tools
/// @param breaker the state of its breaker; null if it has none
/// @param lastError the last error; null if there was none
/// @param retryAfter when it may be called again; null if it may be called now, or if that is unknown
/// @param isListed whether it has ever listed its tools
/// @param isDown whether calls are expected to fail
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
