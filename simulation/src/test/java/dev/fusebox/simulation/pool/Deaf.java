package dev.fusebox.simulation.pool;

import dev.fusebox.client.Asker;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Fault;
import dev.fusebox.client.Peer;
import dev.fusebox.protocol.Message;

/// A client that hears nothing of what servers say on their own.
final class Deaf implements Peer {
    @Override
    public boolean asked(Asker asker, Message.Request request) {
        return false;
    }

    @Override
    public void told(Message.Notification notification) {
        // Nobody listens.
    }

    @Override
    public void lost(Connection connection, Fault fault) {
        // Every call on it has been told.
    }
}
