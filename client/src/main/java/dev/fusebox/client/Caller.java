package dev.fusebox.client;

import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import org.jspecify.annotations.Nullable;

/// Caller of a request, as the server can reach it during the call. Called on the reader thread of the connection:
/// nothing here may block or take long.
public interface Caller {
    /// Ignores all messages and answers no request.
    Caller SILENT = new Caller() {
        @Override
        public void progress(byte[] frame) {
            // Ignored.
        }

        @Override
        public void onNotification(Message.Notification notification) {
            // Ignored.
        }

        @Override
        public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
            return false;
        }
    };

    /// Progress of this call, with the token that the caller gave.
    void progress(byte[] frame);

    /// A notification that belongs to this call. Only connections that can match notifications to calls use it;
    /// others pass them to their [ServerMessageHandler].
    void onNotification(Message.Notification notification);

    /// A request of the server that belongs to this call, from a connection that can match it. True if the
    /// response will follow with [ReplyHandler#answer]; false if there will be none.
    boolean onRequest(ReplyHandler replyHandler, Message.Request question);

    /// The connection on which this call must be made, because only the process behind it can answer; null for any.
    default @Nullable Connection requiredConnection() {
        return null;
    }

    /// Notes the connection on which the server has responded.
    default void answeredOn(Connection connection) {}

    /// Withdraws a request that needs no response any more; has no effect if there is none with this id.
    default void withdraw(RequestId question) {}
}
