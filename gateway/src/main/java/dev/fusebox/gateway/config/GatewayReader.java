package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.HttpConfig.Intake;
import dev.fusebox.gateway.lifecycle.LifecycleSettings;
import dev.fusebox.gateway.pool.PoolRules;
import dev.fusebox.gateway.session.SessionBounds;
import dev.fusebox.sandbox.SandboxLimits;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads what holds for the whole gateway. Immutable.
///
/// @param file the whole file
/// @param overrides options above it
/// @param memory bytes that all processes may have together; 0 if unknown
record GatewayReader(ConfigSection file, Overrides overrides, long memory) {
    Configuration.Gateway read() {
        return new Configuration.Gateway(
                pool(),
                life(file.section(FileKeys.RECOVERY)),
                http(),
                limits(file.section(FileKeys.LIMITS)),
                file.section(FileKeys.ARGUMENTS).value(ArgumentKeys.NULLS),
                discovery(file.section(FileKeys.DISCOVERY)),
                provision(file.section(FileKeys.PROVISION)),
                execute(file.section(FileKeys.EXECUTE)),
                file.section(FileKeys.TELEMETRY).value(TelemetryKeys.LOG_LEVEL),
                collector(file.section(FileKeys.TELEMETRY)));
    }

    private static @Nullable URI collector(ConfigSection telemetry) {
        String address = telemetry.orUsual(TelemetryKeys.OTLP_ENDPOINT);
        return address == null ? null : URI.create(address);
    }

    Expose expose() {
        return overrides
                .section(SectionType.FILE, file.location().problems())
                .over(file)
                .value(FileKeys.EXPOSE);
    }

    /// A pin of a server that there is not would never be seen, and nobody would know why.
    List<String> pins(List<ServerConfig> servers) {
        List<String> pins = file.value(FileKeys.PIN);
        Set<String> ids = servers.stream().map(ServerConfig::id).collect(Collectors.toSet());
        for (String pin : pins) {
            String server = pin.substring(0, pin.indexOf('/'));
            if (!ids.contains(server)) {
                String wrong = "names the server " + PrintableText.quoted(server) + ", which there is not";
                SourceLocation location = file.at(FileKeys.PIN);
                SpellingSuggestion.nearest(server, ids)
                        .ifPresentOrElse(near -> location.error(wrong, near), () -> location.error(wrong));
            }
        }
        return pins;
    }

    private PoolConfig pool() {
        ConfigSection pool = file.section(FileKeys.POOL);
        LayeredSection layeredSection =
                overrides.section(SectionType.POOL, file.location().problems()).over(pool);
        PoolRules processes = processes(layeredSection);
        return new PoolConfig(
                Math.toIntExact(pool.value(PoolKeys.CALLS_AT_ONCE)),
                Math.toIntExact(pool.value(PoolKeys.CALL_QUEUE_LENGTH)),
                pool.value(PoolKeys.MAX_IN_FLIGHT_BYTES),
                Math.toIntExact(pool.value(PoolKeys.STARTS_AT_ONCE)),
                millis(pool.value(PoolKeys.DRAIN_MS)),
                processes,
                layeredSection.written(PoolKeys.POOL_SIZE) == null ? memory : 0,
                remotes(pool, processes));
    }

    private PoolRules processes(LayeredSection pool) {
        Long written = pool.written(PoolKeys.POOL_SIZE);
        int least = Math.toIntExact(pool.value(PoolKeys.MIN_POOL_SIZE));
        int size = written == null ? Math.max(PoolRules.sizeFor(memory), least) : Math.toIntExact(written);
        if (least > size) {
            file.section(FileKeys.POOL)
                    .at(PoolKeys.MIN_POOL_SIZE)
                    .error("is " + least + ", and poolSize is " + size + "; no more can be kept than there may be");
        }
        return new PoolRules(
                size,
                new PoolRules.Reserve(
                        Math.toIntExact(pool.value(PoolKeys.RES_POOL_SIZE)),
                        millis(pool.value(PoolKeys.RES_POOL_TIMEOUT))),
                new PoolRules.Keeping(Math.min(least, size), millis(pool.value(PoolKeys.IDLE_TIMEOUT_MS))),
                new PoolRules.Waiting(
                        Math.toIntExact(pool.value(PoolKeys.QUEUE_LENGTH)),
                        millis(pool.value(PoolKeys.QUEUE_TIMEOUT_MS))));
    }

    /// Connections to servers elsewhere cost little: none is kept, and there is no reserve.
    private static PoolRules remotes(ConfigSection pool, PoolRules processes) {
        return new PoolRules(
                Math.toIntExact(pool.value(PoolKeys.MAX_REMOTE_SESSIONS)),
                new PoolRules.Reserve(0, processes.reserve().after()),
                new PoolRules.Keeping(0, processes.keeping().idle()),
                processes.waiting());
    }

    private static LifecycleSettings life(ConfigSection recovery) {
        LifecycleSettings.Crashes crashes = new LifecycleSettings.Crashes(
                Math.toIntExact(recovery.value(RecoveryKeys.MAX_CRASHES)),
                millis(recovery.value(RecoveryKeys.CRASH_WINDOW_MS)),
                recovery.value(RecoveryKeys.AFTER_MAX_CRASHES) == AfterMaxCrashes.STOP);
        LifecycleSettings.Polls polls = new LifecycleSettings.Polls(
                millis(recovery.value(RecoveryKeys.HEALTH_CHECK_MS)),
                millis(recovery.value(RecoveryKeys.PING_MS)),
                millis(recovery.value(RecoveryKeys.SELF_PROBE_MS)),
                millis(recovery.value(RecoveryKeys.PING_TIMEOUT_MS)));
        List<Duration> delays = recovery.value(RecoveryKeys.RESTART_DELAYS_MS).stream()
                .map(Duration::ofMillis)
                .toList();
        return new LifecycleSettings(true, crashes, delays, polls);
    }

    private HttpConfig http() {
        LayeredSection http =
                overrides.section(SectionType.HTTP, file.location().problems()).over(file.section(FileKeys.HTTP));
        String host = http.value(HttpKeys.HOST);
        InetAddress address = HttpKeys.address(host);
        if (address == null) {
            throw new IllegalStateException("checked when it was read");
        }
        return new HttpConfig(
                address,
                Math.toIntExact(http.value(HttpKeys.PORT)),
                Set.copyOf(http.value(HttpKeys.ALLOWED_ORIGINS)),
                http.value(HttpKeys.OTHER_USERS),
                new SessionBounds(
                        Math.toIntExact(http.value(HttpKeys.MAX_SESSIONS)),
                        millis(http.value(HttpKeys.SESSION_IDLE_MS))),
                new Intake(
                        Math.toIntExact(http.value(HttpKeys.MAX_BODY_BYTES)),
                        Math.toIntExact(http.value(HttpKeys.MAX_CONNECTIONS)),
                        millis(http.value(HttpKeys.HEADER_TIMEOUT_MS))));
    }

    private static LimitConfig limits(ConfigSection limits) {
        return new LimitConfig(
                Math.toIntExact(limits.value(LimitKeys.FRAME_BYTES)),
                Math.toIntExact(limits.value(LimitKeys.DEPTH)),
                Math.toIntExact(limits.value(LimitKeys.TOOL_PAGES)),
                millis(limits.value(LimitKeys.CLIENT_WRITE_MS)),
                millis(limits.value(LimitKeys.CLIENT_WAIT_MS)),
                millis(limits.value(LimitKeys.STUCK_WRITE_MS)),
                millis(limits.value(LimitKeys.ERA_PROBE_MS)));
    }

    private static DiscoveryConfig discovery(ConfigSection discovery) {
        return new DiscoveryConfig(
                discovery.value(DiscoveryKeys.SEMANTIC),
                Math.toIntExact(discovery.value(DiscoveryKeys.LIMIT)),
                Duration.ofMillis(discovery.value(DiscoveryKeys.FIRST_LIST_WAIT_MS)));
    }

    private static ProvisionConfig provision(ConfigSection provision) {
        String registry = provision.value(ProvisionKeys.REGISTRY);
        return new ProvisionConfig(
                registry.equals(ProvisionKeys.OFF) ? null : registry,
                provision.value(ProvisionKeys.TRUSTED),
                provision.value(ProvisionKeys.AUTO_PROVISION));
    }

    private static ExecuteConfig execute(ConfigSection execute) {
        SandboxLimits rules = SandboxLimits.defaults()
                .withMemoryMb(Math.toIntExact(execute.value(ExecuteKeys.MEMORY_MB)))
                .withMaxCalls(Math.toIntExact(execute.value(ExecuteKeys.MAX_CALLS)))
                .withMaxOutputBytes(Math.toIntExact(execute.value(ExecuteKeys.MAX_OUTPUT_BYTES)))
                .withRunsAtOnce(Math.toIntExact(execute.value(ExecuteKeys.RUNS_AT_ONCE)));
        return new ExecuteConfig(
                execute.value(ExecuteKeys.ENABLED), millis(execute.value(ExecuteKeys.TIMEOUT_MS)), rules);
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }
}
