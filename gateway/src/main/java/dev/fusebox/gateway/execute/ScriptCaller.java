package dev.fusebox.gateway.execute;

import dev.fusebox.client.Caller;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;

/// The caller of one call within a script. Progress of the call is not progress of the script, and concurrent
/// calls would interfere, so it is dropped; everything else is passed to the client.
record ScriptCaller(Caller client) implements Caller {
    @Override
    public void progress(byte[] frame) {
        // The client asked for progress of its script, not of this call.
    }

    @Override
    public void onNotification(Message.Notification notification) {
        client.onNotification(notification);
    }

    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
        return client.onRequest(replyHandler, question);
    }

    @Override
    public void withdraw(RequestId question) {
        client.withdraw(question);
    }
}
