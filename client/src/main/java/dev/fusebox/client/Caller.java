package dev.fusebox.client;

import dev.fusebox.protocol.Message;

/// Whoever a call is made for, as the server can reach them while it works. Called on the connection's reader
/// thread: nothing here may block or take long.
public interface Caller {
    /// A caller that wants to hear nothing and answers nothing.
    Caller SILENT = new Caller() {
        @Override
        public void progress(byte[] frame) {
            // Nobody listens.
        }

        @Override
        public void told(Message.Notification notification) {
            // Nobody listens.
        }

        @Override
        public boolean asked(ReplyHandler replyHandler, Message.Request question) {
            return false;
        }
    };

    /// Progress of this call; the token in it is the one the caller gave.
    void progress(byte[] frame);

    /// The server tells something that belongs to this call. Only connections that can know that call it; what
    /// others hear goes to their [ServerMessageHandler].
    void told(Message.Notification notification);

    /// The server asks something because of this call, over a connection that can know that. Whoever can, answers
    /// later with [ReplyHandler#answer]; false if nobody will.
    boolean asked(ReplyHandler replyHandler, Message.Request question);
}
