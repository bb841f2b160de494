package dev.fusebox.client;

import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import org.jspecify.annotations.Nullable;

/// A caller that forwards everything to another one. Subclasses change what they override. Thread-safe if the other
/// one is; nothing blocks.
public class ForwardingCaller implements Caller {
    private final Caller caller;

    protected ForwardingCaller(Caller caller) {
        this.caller = caller;
    }

    @Override
    public void progress(byte[] frame) {
        caller.progress(frame);
    }

    @Override
    public void onNotification(Message.Notification notification) {
        caller.onNotification(notification);
    }

    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
        return caller.onRequest(replyHandler, question);
    }

    @Override
    public @Nullable Connection requiredConnection() {
        return caller.requiredConnection();
    }

    @Override
    public void answeredOn(Connection connection) {
        caller.answeredOn(connection);
    }

    @Override
    public void withdraw(RequestId question) {
        caller.withdraw(question);
    }
}
