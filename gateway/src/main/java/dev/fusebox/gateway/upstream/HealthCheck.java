package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ReconnectingConnection.Pulse;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import java.time.Duration;

/// Signs of life of a server, of which its life is told when they fail to come. Thread-safe; only [#pulse] blocks.
///
/// @param server whose signs they are
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
    public boolean heardSince(long then) {
        return server.heardSince(then);
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
