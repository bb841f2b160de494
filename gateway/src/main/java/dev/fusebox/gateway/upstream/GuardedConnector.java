package dev.fusebox.gateway.upstream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ConnectionOwner;
import dev.fusebox.client.Connector;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A connector that opens no connection while the server's lifecycle blocks connections. Thread-safe.
///
/// @param connector the underlying connector
record GuardedConnector(Connector connector, ServerLifecycle lifecycle) implements Connector {
    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        CallFailure closed = lifecycle.rejection();
        return closed == null ? connector.open(serverMessageHandler) : new Opened.Refused(closed);
    }

    @Override
    public Connector spare() {
        return new GuardedConnector(connector.spare(), lifecycle);
    }

    @Override
    public Connector owned(ConnectionOwner owner) {
        return new GuardedConnector(connector.owned(owner), lifecycle);
    }

    @Override
    public Duration turn() {
        return connector.turn();
    }

    @Override
    public @Nullable CallFailure refusal() {
        return connector.refusal();
    }
}
