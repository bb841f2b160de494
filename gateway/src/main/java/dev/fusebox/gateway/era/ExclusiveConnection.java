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
import java.util.List;
import java.util.function.Function;

/// A connection to a legacy server that serves one call at a time, so that all messages and requests from the
/// server belong to that call. Thread-safe; [#call] blocks and is for one thread at a time.
final class ExclusiveConnection implements ServerRequestHandler, ServerMessageHandler {
    private final ExclusiveConnections connections;
    private final String capabilities;
    private final ReconnectingConnection reconnectingConnection;
    private volatile RequestNotifications borrower = RequestNotifications.NONE;
    private final ServerLogLevel level;

    /// @param connections the set that it belongs to
    /// @param capabilities of its clients, as JSON
    /// @param opening creates the connection to the server
    ExclusiveConnection(
            Platform platform,
            ExclusiveConnections connections,
            String capabilities,
            Function<ServerMessageHandler, ReconnectingConnection> opening) {
        this.connections = connections;
        this.capabilities = capabilities;
        this.reconnectingConnection = opening.apply(this);
        this.level = new ServerLogLevel(platform, reconnectingConnection);
    }

    String capabilities() {
        return capabilities;
    }

    @Override
    public ReconnectingConnection.HandshakeResult initialize(Deadline deadline) {
        return reconnectingConnection.initialize(deadline);
    }

    @Override
    public Outcome call(Call call) {
        String logLevel = call.client().logLevel();
        RequestNotifications requestNotifications = RequestNotifications.of(call.caller(), logLevel);
        borrower = requestNotifications;
        try {
            level.setLevel(logLevel, call.deadline());
            return reconnectingConnection.call(
                    new Call(call.request(), call.client(), call.deadline(), requestNotifications));
        } finally {
            borrower = RequestNotifications.NONE;
        }
    }

    /// Makes it available again; if the server may still work on the call, the connection is closed.
    @Override
    public void done(Outcome outcome, List<SuspendedCall.ServerRequest> open) {
        if (outcome instanceof Outcome.Answered) {
            connections.giveBack(this);
        } else {
            connections.end(this);
        }
    }

    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request request) {
        return borrower.onRequest(replyHandler, request);
    }

    @Override
    public void onNotification(Message.Notification notification) {
        borrower.onNotification(notification);
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        // The connection has failed its call already.
    }

    void close() {
        reconnectingConnection.close();
    }
}
