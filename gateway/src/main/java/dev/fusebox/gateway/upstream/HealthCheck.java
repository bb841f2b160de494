package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ReconnectingConnection.Pulse;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import java.time.Duration;

/// A health check of a server that reports missing responses to the server's lifecycle. Thread-safe; only
/// [#pulse] blocks.
///
/// @param server the checked server
record HealthCheck(Liveness server, ServerLifecycle lifecycle) implements Liveness {
    @Override
    public Pulse pulse(long since, Duration limit) {
        Pulse pulse = server.pulse(since, limit);
        if (pulse == Pulse.NONE) {
            lifecycle.silent();
        }
        return pulse;
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
