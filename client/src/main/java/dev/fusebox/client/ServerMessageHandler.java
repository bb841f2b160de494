package dev.fusebox.client;

import dev.fusebox.protocol.Message;

/// Whom a connection tells what the server sends on its own. Called on the connection's reader thread: nothing
/// here may block or take long.
public interface ServerMessageHandler {
    /// Hears nothing of what servers say on their own.
    ServerMessageHandler DEAF = new ServerMessageHandler() {
        @Override
        public boolean asked(ReplyHandler replyHandler, Message.Request request) {
            return false;
        }

        @Override
        public void told(Message.Notification notification) {
            // Nobody listens.
        }

        @Override
        public void lost(Connection connection, CallFailure failure) {
            // The calls on it are told.
        }
    };

    /// The server asks the client. Whoever can, answers later with [ReplyHandler#answer]; false if nobody will.
    boolean asked(ReplyHandler replyHandler, Message.Request request);

    /// A server asks something that is known to belong to no call: no call waits for the answer, or is charged.
    default boolean askedOutsideOfCalls(ReplyHandler replyHandler, Message.Request request) {
        return asked(replyHandler, request);
    }

    /// The server tells something that belongs to no call that we know.
    void told(Message.Notification notification);

    /// The connection is gone; the calls on it are told next. Comes once.
    void lost(Connection connection, CallFailure failure);
}
