package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.util.function.Function;

/// A server of the session era that works for one call at a time, so that whatever it says or asks belongs to that
/// call. Thread-safe; [#call] blocks and is for one thread at a time.
final class ExclusiveConnection implements ServerMessageHandler {
    private final ReconnectingConnection reconnectingConnection;
    private volatile RequestNotifications borrower = RequestNotifications.NONE;
    private final ServerLogLevel level;

    /// @param opening makes the way to the server for a peer
    ExclusiveConnection(Platform platform, Function<ServerMessageHandler, ReconnectingConnection> opening) {
        this.reconnectingConnection = opening.apply(this);
        this.level = new ServerLogLevel(platform, reconnectingConnection);
    }

    ReconnectingConnection.Welcome welcome(Deadline deadline) {
        return reconnectingConnection.welcome(deadline);
    }

    Outcome call(Call call, ClientMetadata client) {
        RequestNotifications requestNotifications = RequestNotifications.of(call.caller(), client.logLevel());
        borrower = requestNotifications;
        try {
            level.hearFrom(client.logLevel(), call.deadline());
            return reconnectingConnection.call(new Call(call.request(), call.deadline(), requestNotifications));
        } finally {
            borrower = RequestNotifications.NONE;
        }
    }

    @Override
    public boolean asked(ReplyHandler replyHandler, Message.Request request) {
        return borrower.asked(replyHandler, request);
    }

    @Override
    public void told(Message.Notification notification) {
        borrower.told(notification);
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        // The call on it has been told.
    }

    void close() {
        reconnectingConnection.close();
    }
}
