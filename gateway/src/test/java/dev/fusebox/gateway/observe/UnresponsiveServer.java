package dev.fusebox.gateway.observe;

import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.resilience.Liveness;
import java.time.Duration;

/// A server without a connection that never answers a ping.
record UnresponsiveServer() implements Liveness {
    @Override
    public ReconnectingConnection.HealthCheckResult healthCheckResult(long since, Duration limit) {
        return ReconnectingConnection.HealthCheckResult.NONE;
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
