package dev.fusebox.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Connector whose first connection is already open: another client of the same server has handed it over, so that
/// no second process has to be started. Thread-safe; [#open] blocks like the wrapped connector.
public final class PreconnectedConnector implements Connector, AutoCloseable {
    private final Connector connector;
    private final AtomicReference<@Nullable OpenConnection> openConnection;

    /// An open connection that is not in use.
    ///
    /// @param observed handler of its messages
    record OpenConnection(Connection connection, ObservedMessageHandler observed) {}

    PreconnectedConnector(Connector connector, OpenConnection openConnection) {
        this.connector = connector;
        this.openConnection = new AtomicReference<>(openConnection);
    }

    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        OpenConnection first = openConnection.getAndSet(null);
        if (first == null || !first.connection().isAlive()) {
            return connector.open(serverMessageHandler);
        }
        first.observed().passTo(serverMessageHandler);
        return new Opened.Connected(first.connection());
    }

    @Override
    public Duration turn() {
        return connector.turn();
    }

    @Override
    public Connector spare() {
        return connector.spare();
    }

    @Override
    public @Nullable CallFailure refusal() {
        return connector.refusal();
    }

    /// Closes the connection that was handed over, unless it was taken; new connections can still be opened.
    @Override
    public void close() {
        OpenConnection untaken = openConnection.getAndSet(null);
        if (untaken != null) {
            untaken.connection().close();
        }
    }
}
