package dev.fusebox.gateway.task;

import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;

/// A caller whose call must reach the process that works on its task.
///
/// @param caller receives everything that belongs to the call
record PinnedCaller(Caller caller, Connection place) implements Caller {
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
    public void withdraw(RequestId question) {
        caller.withdraw(question);
    }
}
