package dev.fusebox.gateway.era;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import org.jspecify.annotations.Nullable;

/// A connection listener that buffers events until it is known whether they are to be reported. Thread-safe;
/// nothing blocks.
final class BufferedConnectionListener implements ConnectionListener {
    private final ConnectionListener listener;
    private boolean isForwarding;
    private @Nullable Connection made;
    private @Nullable CallFailure lastLoss;

    BufferedConnectionListener(ConnectionListener listener) {
        this.listener = listener;
    }

    /// Forwards the buffered events and all later ones, or discards them.
    void forward(boolean matters) {
        Connection connection;
        CallFailure loss;
        synchronized (this) {
            isForwarding = matters;
            connection = made;
            loss = lastLoss;
        }
        if (!matters || connection == null) {
            return;
        }
        listener.connected(connection);
        if (loss != null) {
            listener.lost(connection, loss);
        }
    }

    /// The connection that was opened last, which may have been lost since; null if there was none.
    synchronized @Nullable Connection connection() {
        return made;
    }

    private synchronized boolean isForwarding() {
        return isForwarding;
    }

    /// Forwarded immediately: a connection attempt counts regardless of its result.
    @Override
    public void connecting() {
        listener.connecting();
    }

    @Override
    public void connected(Connection connection) {
        boolean isHeard;
        synchronized (this) {
            isHeard = isForwarding;
            made = connection;
            lastLoss = null;
        }
        if (isHeard) {
            listener.connected(connection);
        }
    }

    @Override
    public void stateLost(StateLost loss) {
        if (isForwarding()) {
            listener.stateLost(loss);
        }
    }

    @Override
    public void failed(CallFailure failure) {
        if (isForwarding()) {
            listener.failed(failure);
        }
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        boolean isHeard;
        synchronized (this) {
            isHeard = isForwarding;
            lastLoss = failure;
        }
        if (isHeard) {
            listener.lost(connection, failure);
        }
    }
}
