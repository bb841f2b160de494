package dev.fusebox.config;

import java.time.Duration;

/// How much may be under way at once. Immutable.
///
/// @param callsAtOnce calls to one server that are under way
/// @param callQueueLength calls to one server that wait for their turn
/// @param maxInFlightBytes bytes that the calls to one server have together
/// @param startsAtOnce servers that are being started
/// @param drain how long calls may go on when the gateway is to end
/// @param processes how many there may be
/// @param memory bytes that all processes may have together, where the number of places follows it; 0 where the number
/// is configured, or the memory is not known
/// @param remotes how many connections to remote servers there may be
public record PoolConfig(
        int callsAtOnce,
        int callQueueLength,
        long maxInFlightBytes,
        int startsAtOnce,
        Duration drain,
        PoolRules processes,
        long memory,
        PoolRules remotes) {}
