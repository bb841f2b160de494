package dev.fusebox.client.http;

import dev.fusebox.client.Asker;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Fault;
import dev.fusebox.client.Peer;
import dev.fusebox.protocol.Message;

/// Somebody who wants to hear nothing but answers.
final class Deaf implements Peer, Caller {
    @Override
    public void progress(byte[] frame) {
        // Not heard.
    }

    @Override
    public void told(Message.Notification notification) {
        // Not heard.
    }

    @Override
    public boolean asked(Asker asker, Message.Request question) {
        return false;
    }

    @Override
    public void lost(Connection connection, Fault fault) {
        // Not heard.
    }
}
