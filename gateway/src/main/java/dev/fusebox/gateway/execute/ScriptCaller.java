package dev.fusebox.gateway.execute;

import dev.fusebox.client.Caller;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.protocol.Message;

/// The caller of one call of a script. How far that has come says nothing of how far the script has, and calls
/// at the same time would count against each other; all else reaches the client.
record ScriptCaller(Caller client) implements Caller {
    @Override
    public void progress(byte[] frame) {
        // The client has asked how far its script has come.
    }

    @Override
    public void told(Message.Notification notification) {
        client.told(notification);
    }

    @Override
    public boolean asked(ReplyHandler replyHandler, Message.Request question) {
        return client.asked(replyHandler, question);
    }
}
