package dev.fusebox.gateway.era;

import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Promise;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The health check of a server with several connections: the server fails it if one of them does not answer,
/// and that connection is then closed. For one caller at a time; only [#checkHealth] blocks, little longer
/// than its limit.
///
/// @param silent connections that did not answer the last check
record ConnectionHealthCheck(Platform platform, Supplier<Collection<ConnectionSlot>> slots, Set<ConnectionSlot> silent)
        implements Liveness {
    private static final Duration GRACE = Duration.ofMillis(200);

    ConnectionHealthCheck(Platform platform, Supplier<Collection<ConnectionSlot>> slots) {
        this(platform, slots, ConcurrentHashMap.newKeySet());
    }

    @Override
    public HealthCheckResult checkHealth(long since, Duration limit) {
        List<ConnectionSlot> all = List.copyOf(slots.get());
        silent.clear();
        if (all.size() == 1) {
            return noted(all.getFirst(), all.getFirst().endpoint().checkHealth(since, limit));
        }
        Map<ConnectionSlot, Promise<HealthCheckResult>> asked = new LinkedHashMap<>();
        for (ConnectionSlot slot : all) {
            Promise<HealthCheckResult> healthCheckResult = new Promise<>();
            asked.put(slot, healthCheckResult);
            Thread.ofVirtual()
                    .name("fusebox-health-check")
                    .start(() -> healthCheckResult.complete(slot.endpoint().checkHealth(since, limit)));
        }
        HealthCheckResult worst = HealthCheckResult.UNKNOWN;
        for (Map.Entry<ConnectionSlot, Promise<HealthCheckResult>> one : asked.entrySet()) {
            worst = worse(worst, noted(one.getKey(), await(one.getValue(), limit)));
        }
        return worst;
    }

    private HealthCheckResult noted(ConnectionSlot slot, HealthCheckResult healthCheckResult) {
        if (healthCheckResult == HealthCheckResult.SILENT) {
            silent.add(slot);
        }
        return healthCheckResult;
    }

    private HealthCheckResult await(Promise<HealthCheckResult> healthCheckResult, Duration limit) {
        try {
            HealthCheckResult known = healthCheckResult.await(platform, limit.plus(GRACE));
            return known == null ? HealthCheckResult.SILENT : known;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return HealthCheckResult.UNKNOWN;
        }
    }

    private static HealthCheckResult worse(HealthCheckResult one, HealthCheckResult other) {
        if (one == HealthCheckResult.SILENT || other == HealthCheckResult.SILENT) {
            return HealthCheckResult.SILENT;
        }
        return one == HealthCheckResult.UNKNOWN ? other : one;
    }

    /// On all connections: it is not known which of them carried the call in doubt.
    @Override
    public boolean hasReceivedSince(long then) {
        Collection<ConnectionSlot> all = slots.get();
        return !all.isEmpty() && all.stream().allMatch(slot -> slot.endpoint().hasReceivedSince(then));
    }

    /// Only the silent connections count; others may be busy.
    @Override
    public boolean isIdle() {
        return !silent.isEmpty() && silent.stream().allMatch(slot -> slot.calls() == 0);
    }

    @Override
    public void disconnect() {
        silent.forEach(slot -> slot.endpoint().disconnect());
    }
}
