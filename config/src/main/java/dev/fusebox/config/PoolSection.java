package dev.fusebox.config;

import dev.fusebox.config.ValueType.Whole;
import java.util.List;

/// The section `pool`.
final class PoolSection {
    static final SectionType SECTION = new SectionType("pool");

    /// More processes do not fit on today's machines.
    private static final ValueType<Long> CONNECTIONS = new Whole(1, 10_000);

    static final ConfigKey<Long> POOL_SIZE = SECTION.nullable(
            "poolSize",
            CONNECTIONS,
            "null",
            "The number of server processes that may run at the same time; the next one waits for a free"
                    + " slot, and a session that needs its own process is rejected. If left out, 20, or more if"
                    + " more processes of the measured size (64 MB until it is known) fit into a quarter of the"
                    + " machine's memory; `status` shows the number.");
    static final ConfigKey<Long> RES_POOL_SIZE = SECTION.key(
            "resPoolSize",
            new Whole(0, 10_000),
            "0",
            "The number of additional processes once a request has waited for `resPoolTimeout`; they are"
                    + " stopped when they are idle.");
    static final ConfigKey<Long> MIN_POOL_SIZE = SECTION.key(
            "minPoolSize",
            new Whole(0, 10_000),
            "0",
            "The number of processes that start with the gateway, vital servers first, and keep running"
                    + " when they are idle, the most recently used first. At most the number of servers, and at most"
                    + " `poolSize`.");
    static final ConfigKey<Long> RES_POOL_TIMEOUT = SECTION.key(
            "resPoolTimeout",
            new Whole(0, 3_600_000),
            "5000",
            "The wait after which the reserve is used, in milliseconds.");
    static final ConfigKey<Long> IDLE_TIMEOUT_MS = SECTION.key(
            "idleTimeoutMs",
            Whole.MILLIS,
            "300000",
            "A server that has been idle for this long is stopped; its tools stay listed, and the next"
                    + " call starts it.");
    static final ConfigKey<Long> QUEUE_TIMEOUT_MS = SECTION.key(
            "queueTimeoutMs",
            new Whole(0, 3_600_000),
            "10000",
            "How long a server that has to be started waits for a free slot before its calls are rejected.");
    static final ConfigKey<Long> QUEUE_LENGTH = SECTION.key(
            "queueLength", new Whole(0, 1_000_000), "1000", "The number of servers that may wait for a free slot.");
    static final ConfigKey<Long> MAX_REMOTE_SESSIONS = SECTION.key(
            "maxRemoteSessions",
            new Whole(1, 1_000_000),
            "1000",
            "Like `poolSize`, for connections to remote servers.");
    static final ConfigKey<Long> CALLS_AT_ONCE =
            SECTION.key("callsAtOnce", new Whole(1, 1_000_000), "1000", "The number of calls in flight to one server.");
    static final ConfigKey<Long> CALL_QUEUE_LENGTH = SECTION.key(
            "callQueueLength",
            new Whole(0, 1_000_000),
            "1000",
            "The number of calls to one server that may wait in its queue.");
    static final ConfigKey<Long> MAX_IN_FLIGHT_BYTES = SECTION.key(
            "maxInFlightBytes",
            new Whole(1, 1L << 40),
            "67108864",
            "The total size of all calls in flight to one server, in bytes.");
    static final ConfigKey<Long> STARTS_AT_ONCE = SECTION.key(
            "startsAtOnce", new Whole(1, 1_000), "4", "The number of servers that may start at the same time.");
    static final ConfigKey<Long> DRAIN_MS = SECTION.key(
            "drainMs",
            new Whole(0, 3_600_000),
            "10000",
            "How long calls may continue when the gateway shuts down, or when their server is changed or"
                    + " removed.");
    static final ConfigKey<Long> FAILURE_THRESHOLD = SECTION.key(
            "failureThreshold",
            new Whole(1, 1_000_000),
            "",
            "The same as `breaker.failureThreshold`; must not differ from it.");
    static final ConfigKey<Long> COOLDOWN_MS =
            SECTION.key("cooldownMs", Whole.MILLIS, "", "The same as `breaker.cooldownMs`; must not differ from it.");

    private PoolSection() {}

    /// @param pool the section of the file
    /// @param options the options of the command line
    /// @param memory bytes for all processes together; 0 if unknown
    static PoolConfig read(ConfigSection pool, ConfigSection options, long memory) {
        ConfigSection values = options.over(pool);
        PoolRules processes = processes(values, memory);
        if (values.number(MIN_POOL_SIZE) > processes.size()) {
            pool.at(MIN_POOL_SIZE)
                    .error("is " + values.number(MIN_POOL_SIZE) + ", which exceeds poolSize, " + processes.size());
        }
        return new PoolConfig(
                values.number(CALLS_AT_ONCE),
                values.number(CALL_QUEUE_LENGTH),
                values.value(MAX_IN_FLIGHT_BYTES),
                values.number(STARTS_AT_ONCE),
                values.millis(DRAIN_MS),
                processes,
                values.written(POOL_SIZE) == null ? memory : 0,
                remotes(values, processes));
    }

    private static PoolRules processes(ConfigSection pool, long memory) {
        Long written = pool.written(POOL_SIZE);
        int least = pool.number(MIN_POOL_SIZE);
        int size = written == null ? Math.max(PoolRules.sizeFor(memory), least) : Math.toIntExact(written);
        return new PoolRules(
                size,
                new PoolRules.Reserve(pool.number(RES_POOL_SIZE), pool.millis(RES_POOL_TIMEOUT)),
                new PoolRules.IdleRules(Math.min(least, size), pool.millis(IDLE_TIMEOUT_MS)),
                new PoolRules.Waiting(pool.number(QUEUE_LENGTH), pool.millis(QUEUE_TIMEOUT_MS)));
    }

    /// Connections to remote servers cost little: none is kept, and there is no reserve.
    private static PoolRules remotes(ConfigSection pool, PoolRules processes) {
        return new PoolRules(
                pool.number(MAX_REMOTE_SESSIONS),
                new PoolRules.Reserve(0, processes.reserve().after()),
                new PoolRules.IdleRules(0, processes.idleRules().idle()),
                processes.waiting());
    }

    /// Checks the pool against the servers that use it.
    static void check(ConfigSection pool, PoolRules processes, List<ServerConfig> servers) {
        if (processes.idleRules().least() > servers.size()) {
            pool.at(MIN_POOL_SIZE)
                    .error("is " + processes.idleRules().least() + ", which exceeds the number of servers, "
                            + servers.size());
        }
        long kept = servers.stream()
                .filter(server -> server.isProcess() && server.presence().isKept())
                .count();
        if (kept > processes.size()) {
            pool.at(POOL_SIZE)
                    .error("is " + processes.size() + ", but " + kept
                            + " servers have the lifecycle keep-alive and are never closed to make room");
        }
    }
}
