package dev.fusebox.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// When the breaker of a server trips, how long it stays open, and what closes it. Immutable.
///
/// @param failureThreshold the number of failures that trips it; null if a window does not count them
/// @param window the window that failures are counted in; null for consecutive failures
/// @param cooldown how long it stays open
/// @param halfOpen what closes it
public record BreakerConfig(
        @Nullable Integer failureThreshold, @Nullable Window window, Cooldown cooldown, HalfOpen halfOpen) {
    /// A time window. Immutable.
    ///
    /// @param minimumCalls with fewer calls in it the breaker does not trip
    /// @param failureRate this share of failures trips it; null for none
    /// @param slowCall a call that takes longer is slow; null if slow calls do not count
    /// @param slowCallRate this share of slow calls trips it; null if slow calls do not count
    public record Window(
            Duration length,
            int minimumCalls,
            @Nullable Double failureRate,
            @Nullable Duration slowCall,
            @Nullable Double slowCallRate) {}

    /// How long a breaker stays open. Immutable.
    ///
    /// @param base after the first trip
    /// @param growth the factor from one trip in a row to the next
    /// @param max the longest cooldown
    /// @param jitter the largest random share that is added
    public record Cooldown(Duration base, double growth, Duration max, double jitter) {}

    /// How an open breaker closes. Immutable.
    ///
    /// @param maxCalls concurrent calls that test whether the server has recovered
    /// @param successesToClose how many of them must succeed
    /// @param hasExtraCalls whether further calls are admitted while those have no answer
    public record HalfOpen(int maxCalls, int successesToClose, boolean hasExtraCalls) {}
}
