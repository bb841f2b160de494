package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.Kind.Whole;
import java.util.List;
import java.util.Set;

/// The keys of `pool`.
final class PoolKeys {
    static final Key<Long> FAILURE_THRESHOLD = Key.of(
            "failureThreshold", new Whole(1, 1_000_000), "The same as `breaker.failureThreshold`; not another value.");
    static final Key<Long> COOLDOWN_MS =
            Key.of("cooldownMs", Times.MILLIS, "The same as `breaker.cooldownMs`; not another value.");
    static final Key<Long> CALLS_AT_ONCE = Key.of(
            "callsAtOnce", new Whole(1, 1_000_000), "1000", "Calls to one server that may be under way at once.");
    static final Key<Long> CALL_QUEUE_LENGTH = Key.of(
            "callQueueLength", new Whole(0, 1_000_000), "1000", "Calls to one server that may wait for their turn.");
    static final Key<Long> MAX_IN_FLIGHT_BYTES = Key.of(
            "maxInFlightBytes",
            new Whole(1, 1L << 40),
            "67108864",
            "Bytes that the calls to one server may have together.");
    static final Key<Long> STARTS_AT_ONCE =
            Key.of("startsAtOnce", new Whole(1, 1_000), "4", "Servers that may be started at the same time.");
    static final Key<Long> DRAIN_MS = Key.of(
            "drainMs",
            new Whole(0, 3_600_000),
            "10000",
            "How long calls may go on when the gateway is to end, or when their server is changed or removed.");

    static final List<Key<?>> ALL = List.of(
            CALLS_AT_ONCE,
            CALL_QUEUE_LENGTH,
            MAX_IN_FLIGHT_BYTES,
            STARTS_AT_ONCE,
            DRAIN_MS,
            FAILURE_THRESHOLD,
            COOLDOWN_MS);

    static final Set<String> LATER = Set.of(
            "poolSize",
            "resPoolSize",
            "minPoolSize",
            "resPoolTimeout",
            "idleTimeoutMs",
            "queueTimeoutMs",
            "queueLength",
            "maxRemoteSessions");

    private PoolKeys() {}
}
