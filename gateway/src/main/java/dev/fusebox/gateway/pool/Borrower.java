package dev.fusebox.gateway.pool;

import dev.fusebox.config.IdlePolicy;

/// Holder of connections to a server. Thread-safe; nothing blocks.
public interface Borrower {
    /// The server, as messages name it.
    String server();

    IdlePolicy idlePolicy();

    /// Whether there is work for the connection, on it or on the way to it.
    boolean isWanted();

    /// Whether its server was changed or removed: its connections are closed as soon as they are idle.
    default boolean isRetired() {
        return false;
    }

    /// Whether its connection belongs to one client session, whose state may live in the process behind it.
    /// Pressure never takes such a connection once the session has used it.
    default boolean isOwned() {
        return false;
    }

    /// The server's tenant that this one is a part of; itself if there is none.
    default Borrower root() {
        return this;
    }

    /// The client whose turn it is when this one waits: those that are equal wait in order, and others take turns.
    Object client();
}
