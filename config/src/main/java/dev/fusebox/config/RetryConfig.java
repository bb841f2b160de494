package dev.fusebox.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Which failed calls are retried, and how often. Immutable.
///
/// @param replay which calls
/// @param maxAttempts attempts, the first one included
/// @param backoff the wait before the second attempt, the third ...; the last one is used for all that follow
/// @param budgetRatio the share of retries among the calls
/// @param ofTools which calls of single tools, by the server's own names
public record RetryConfig(
        Replay replay, int maxAttempts, List<Duration> backoff, double budgetRatio, Map<String, Replay> ofTools) {
    public RetryConfig {
        backoff = List.copyOf(backoff);
        ofTools = Map.copyOf(ofTools);
    }
}
