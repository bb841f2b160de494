package dev.fusebox.gateway.upstream;

import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import java.time.Duration;

/// A health check of a server that reports missing responses to the server's lifecycle. Thread-safe; only
/// [#checkHealth] blocks.
///
/// @param server the checked server
record HealthCheck(Liveness server, ServerLifecycle lifecycle) implements Liveness {
    @Override
    public HealthCheckResult checkHealth(long since, Duration limit) {
        HealthCheckResult healthCheckResult = server.checkHealth(since, limit);
        if (healthCheckResult == HealthCheckResult.SILENT) {
            lifecycle.silent();
        }
        return healthCheckResult;
    }

    @Override
    public boolean hasReceivedSince(long then) {
        return server.hasReceivedSince(then);
    }

    @Override
    public boolean isIdle() {
        return server.isIdle();
    }

    @Override
    public void disconnect() {
        server.disconnect();
    }
}
