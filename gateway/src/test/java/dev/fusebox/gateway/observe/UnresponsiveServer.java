package dev.fusebox.gateway.observe;

import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.resilience.Liveness;
import java.time.Duration;

/// A server without a connection that never answers a ping.
record UnresponsiveServer() implements Liveness {
    @Override
    public HealthCheckResult checkHealth(long since, Duration limit) {
        return HealthCheckResult.SILENT;
    }

    @Override
    public boolean hasReceivedSince(long then) {
        return false;
    }

    @Override
    public void disconnect() {
        // There is no connection.
    }
}
