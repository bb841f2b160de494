package dev.fusebox.gateway.config;

import dev.fusebox.client.resilience.RetrySafety;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Which failed calls are made again, and how often. Immutable.
///
/// @param retrySafety which ones
/// @param maxAttempts the first one included
/// @param backoff the wait before the second attempt, the third ...; the last one serves all that follow
/// @param budgetRatio the share of the calls that may be further attempts
/// @param ofTools which ones of single tools, by their own names
public record RetryConfig(
        RetrySafety retrySafety,
        int maxAttempts,
        List<Duration> backoff,
        double budgetRatio,
        Map<String, RetrySafety> ofTools) {
    public RetryConfig {
        backoff = List.copyOf(backoff);
        ofTools = Map.copyOf(ofTools);
    }

    /// What holds for a tool.
    public RetrySafety of(String tool) {
        return ofTools.getOrDefault(tool, retrySafety);
    }
}
