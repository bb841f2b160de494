package dev.fusebox.client;

import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// The peer of one connection, with a witness beside it. What ends before it has begun is an attempt that failed,
/// and no loss. Thread-safe; nothing blocks.
final class ObservedMessageHandler implements ServerMessageHandler {
    private final ConnectionListener listener;
    private volatile ServerMessageHandler serverMessageHandler;
    private boolean begun;
    private @Nullable Loss lost;

    ObservedMessageHandler(ServerMessageHandler serverMessageHandler, ConnectionListener listener) {
        this.serverMessageHandler = serverMessageHandler;
        this.listener = listener;
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
        listener.connected(connection);
        if (already != null) {
            listener.lost(already.connection(), already.failure());
        }
    }

    /// Passes the messages of the connection to another peer from now on, and its loss if it is lost already.
    void passTo(ServerMessageHandler other) {
        Loss already;
        synchronized (this) {
            serverMessageHandler = other;
            already = lost;
        }
        if (already != null) {
            other.lost(already.connection(), already.failure());
        }
    }

    @Override
    public boolean asked(ReplyHandler replyHandler, Message.Request request) {
        return serverMessageHandler.asked(replyHandler, request);
    }

    @Override
    public void told(Message.Notification notification) {
        serverMessageHandler.told(notification);
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        boolean isLoss;
        ServerMessageHandler hearer;
        synchronized (this) {
            lost = new Loss(connection, failure);
            isLoss = begun;
            hearer = serverMessageHandler;
        }
        if (isLoss) {
            listener.lost(connection, failure);
        }
        hearer.lost(connection, failure);
    }
}
