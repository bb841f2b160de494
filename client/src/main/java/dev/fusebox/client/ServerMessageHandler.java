package dev.fusebox.client;

import dev.fusebox.protocol.Message;

/// Handler of the messages that a server sends on its own over a connection. Called on the reader thread of the
/// connection: nothing here may block or take long.
public interface ServerMessageHandler {
    /// Ignores all messages and answers no request.
    ServerMessageHandler NONE = new ServerMessageHandler() {
        @Override
        public boolean onRequest(ReplyHandler replyHandler, Message.Request request) {
            return false;
        }

        @Override
        public void onNotification(Message.Notification notification) {
            // Ignored.
        }

        @Override
        public void lost(Connection connection, CallFailure failure) {
            // The calls on it fail by themselves.
        }
    };

    /// Handles a request of the server to the client. True if the response will follow with [ReplyHandler#answer],
    /// from any thread; false if there will be none.
    boolean onRequest(ReplyHandler replyHandler, Message.Request request);

    /// Handles a request of the server that is known to belong to no call: no call waits for the response, or is
    /// charged for it.
    default boolean askedOutsideOfCalls(ReplyHandler replyHandler, Message.Request request) {
        return onRequest(replyHandler, request);
    }

    /// Handles a notification that belongs to no known call.
    void onNotification(Message.Notification notification);

    /// The connection is lost; the calls on it fail next. Called once.
    void lost(Connection connection, CallFailure failure);
}
