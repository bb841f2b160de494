package dev.fusebox.client;

import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// The peer of one connection, with a witness beside it. What ends before it has begun is an attempt that failed,
/// and no loss. Thread-safe; nothing blocks.
final class Watched implements Peer {
    private final Witness witness;
    private volatile Peer peer;
    private boolean begun;
    private @Nullable Loss lost;

    Watched(Peer peer, Witness witness) {
        this.peer = peer;
        this.witness = witness;
    }

    /// What was lost before it had begun.
    private record Loss(Connection connection, CallFailure failure) {}

    /// From now on the connection is one that can be lost; it may just have been.
    void begin(Connection connection) {
        Loss already;
        synchronized (this) {
            begun = true;
            already = lost;
        }
        witness.connected(connection);
        if (already != null) {
            witness.lost(already.connection(), already.failure());
        }
    }

    /// Passes the messages of the connection to another peer from now on, and its loss if it is lost already.
    void passTo(Peer other) {
        Loss already;
        synchronized (this) {
            peer = other;
            already = lost;
        }
        if (already != null) {
            other.lost(already.connection(), already.failure());
        }
    }

    @Override
    public boolean asked(Asker asker, Message.Request request) {
        return peer.asked(asker, request);
    }

    @Override
    public void told(Message.Notification notification) {
        peer.told(notification);
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        boolean isLoss;
        Peer hearer;
        synchronized (this) {
            lost = new Loss(connection, failure);
            isLoss = begun;
            hearer = peer;
        }
        if (isLoss) {
            witness.lost(connection, failure);
        }
        hearer.lost(connection, failure);
    }
}
