package dev.fusebox.config;

import java.time.Duration;

/// The limits on concurrent work. Immutable.
///
/// @param callsAtOnce calls in flight to one server
/// @param callQueueLength queued calls to one server
/// @param maxInFlightBytes bytes that the calls to one server have together
/// @param startsAtOnce servers that are being started
/// @param drain how long calls may continue during shutdown
/// @param processes the limits on processes
/// @param memory the memory for all processes together, in bytes, if it determines the number of slots; 0 if the
/// number is configured or the memory is unknown
/// @param remotes the limits on connections to remote servers
public record PoolConfig(
        int callsAtOnce,
        int callQueueLength,
        long maxInFlightBytes,
        int startsAtOnce,
        Duration drain,
        PoolRules processes,
        long memory,
        PoolRules remotes) {}
