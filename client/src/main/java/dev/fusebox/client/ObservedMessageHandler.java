package dev.fusebox.client;

import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// [ServerMessageHandler] of one connection that also reports its life to a [ConnectionListener]. A connection
/// that ends before [#begin] is a failed attempt to connect, and not reported as lost. Thread-safe; nothing
/// blocks.
final class ObservedMessageHandler implements ServerMessageHandler {
    private final ConnectionListener listener;
    private volatile ServerMessageHandler serverMessageHandler;
    private boolean begun;
    private @Nullable Loss lost;

    ObservedMessageHandler(ServerMessageHandler serverMessageHandler, ConnectionListener listener) {
        this.serverMessageHandler = serverMessageHandler;
        this.listener = listener;
    }

    /// A loss before [#begin].
    private record Loss(Connection connection, CallFailure failure) {}

    /// Reports the connection as open, and as lost if it has been lost since.
    void begin(Connection connection) {
        Loss earlier;
        synchronized (this) {
            begun = true;
            earlier = lost;
        }
        listener.connected(connection);
        if (earlier != null) {
            listener.lost(earlier.connection(), earlier.failure());
        }
    }

    /// Passes the messages of the connection to another handler from now on, and its loss if it is lost already.
    void passTo(ServerMessageHandler other) {
        Loss earlier;
        synchronized (this) {
            serverMessageHandler = other;
            earlier = lost;
        }
        if (earlier != null) {
            other.lost(earlier.connection(), earlier.failure());
        }
    }

    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request request) {
        return serverMessageHandler.onRequest(replyHandler, request);
    }

    @Override
    public void onNotification(Message.Notification notification) {
        serverMessageHandler.onNotification(notification);
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        boolean isLoss;
        ServerMessageHandler target;
        synchronized (this) {
            lost = new Loss(connection, failure);
            isLoss = begun;
            target = serverMessageHandler;
        }
        if (isLoss) {
            listener.lost(connection, failure);
        }
        target.lost(connection, failure);
    }
}
