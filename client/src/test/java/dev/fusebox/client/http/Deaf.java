package dev.fusebox.client.http;

import dev.fusebox.client.Asker;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Fault;
import dev.fusebox.client.Peer;
import dev.fusebox.protocol.Message;

/// Somebody who wants to hear nothing of a server but answers.
final class Deaf implements Peer {
    @Override
    public boolean asked(Asker asker, Message.Request request) {
        return false;
    }

    @Override
    public void told(Message.Notification notification) {
        // Not heard.
    }

    @Override
    public void lost(Connection connection, Fault fault) {
        // The calls on it have been told.
    }
}
