package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.ValueType.Whole;
import java.util.List;

/// The keys of `pool`.
final class PoolKeys {
    /// More processes than that no machine of today holds.
    private static final ValueType<Long> CONNECTIONS = new Whole(1, 10_000);

    static final ConfigKey<Long> POOL_SIZE = ConfigKey.of(
                    "poolSize",
                    CONNECTIONS,
                    "null",
                    "Processes of servers that may run at once; the next one waits for room, and a session that needs a"
                            + " process of its own is refused. If left out, 20 or as many as fit into a quarter of the"
                            + " machine's memory at their measured size, whichever is more (64 MB each until it is"
                            + " known); `status` shows it.")
            .orNull();
    static final ConfigKey<Long> RES_POOL_SIZE = ConfigKey.of(
            "resPoolSize",
            new Whole(0, 10_000),
            "0",
            "So many more once a request has waited for `resPoolTimeout`; they end when they are idle.");
    static final ConfigKey<Long> MIN_POOL_SIZE = ConfigKey.of(
            "minPoolSize",
            new Whole(0, 10_000),
            "0",
            "So many are started with the gateway, vital servers first, and stay when they are idle: those that were"
                    + " used last. No more than there are servers, or than `poolSize`.");
    static final ConfigKey<Long> RES_POOL_TIMEOUT = ConfigKey.of(
            "resPoolTimeout", new Whole(0, 3_600_000), "5000", "When the reserve is used, in milliseconds.");
    static final ConfigKey<Long> IDLE_TIMEOUT_MS = ConfigKey.of(
            "idleTimeoutMs",
            DurationBounds.MILLIS,
            "300000",
            "A server that has been unused for so long is ended; its tools stay listed, and the next call starts it.");
    static final ConfigKey<Long> QUEUE_TIMEOUT_MS = ConfigKey.of(
            "queueTimeoutMs",
            new Whole(0, 3_600_000),
            "10000",
            "How long a server that has to be started waits for room, before its calls are refused.");
    static final ConfigKey<Long> QUEUE_LENGTH =
            ConfigKey.of("queueLength", new Whole(0, 1_000_000), "1000", "Servers that may wait for room.");
    static final ConfigKey<Long> MAX_REMOTE_SESSIONS = ConfigKey.of(
            "maxRemoteSessions",
            new Whole(1, 1_000_000),
            "1000",
            "As `poolSize`, for connections to servers elsewhere.");
    static final ConfigKey<Long> FAILURE_THRESHOLD = ConfigKey.of(
            "failureThreshold", new Whole(1, 1_000_000), "The same as `breaker.failureThreshold`; not another value.");
    static final ConfigKey<Long> COOLDOWN_MS =
            ConfigKey.of("cooldownMs", DurationBounds.MILLIS, "The same as `breaker.cooldownMs`; not another value.");
    static final ConfigKey<Long> CALLS_AT_ONCE = ConfigKey.of(
            "callsAtOnce", new Whole(1, 1_000_000), "1000", "Calls to one server that may be under way at once.");
    static final ConfigKey<Long> CALL_QUEUE_LENGTH = ConfigKey.of(
            "callQueueLength", new Whole(0, 1_000_000), "1000", "Calls to one server that may wait for their turn.");
    static final ConfigKey<Long> MAX_IN_FLIGHT_BYTES = ConfigKey.of(
            "maxInFlightBytes",
            new Whole(1, 1L << 40),
            "67108864",
            "Bytes that the calls to one server may have together.");
    static final ConfigKey<Long> STARTS_AT_ONCE =
            ConfigKey.of("startsAtOnce", new Whole(1, 1_000), "4", "Servers that may be started at the same time.");
    static final ConfigKey<Long> DRAIN_MS = ConfigKey.of(
            "drainMs",
            new Whole(0, 3_600_000),
            "10000",
            "How long calls may go on when the gateway is to end, or when their server is changed or removed.");

    static final List<ConfigKey<?>> ALL = List.of(
            POOL_SIZE,
            RES_POOL_SIZE,
            MIN_POOL_SIZE,
            RES_POOL_TIMEOUT,
            IDLE_TIMEOUT_MS,
            QUEUE_TIMEOUT_MS,
            QUEUE_LENGTH,
            MAX_REMOTE_SESSIONS,
            CALLS_AT_ONCE,
            CALL_QUEUE_LENGTH,
            MAX_IN_FLIGHT_BYTES,
            STARTS_AT_ONCE,
            DRAIN_MS,
            FAILURE_THRESHOLD,
            COOLDOWN_MS);

    private PoolKeys() {}
}
