package dev.fusebox.gateway.pool;

import dev.fusebox.config.IdlePolicy;

/// A borrower of pooled connections to one server. Thread-safe; nothing blocks.
public interface Borrower {
    /// The server's name for messages.
    String server();

    IdlePolicy idlePolicy();

    /// Whether there is work for the connection, running or queued.
    boolean isWanted();

    /// Whether its server was changed or removed: its connections are closed as soon as they are idle.
    default boolean isRetired() {
        return false;
    }

    /// Whether its connection belongs to one client session, whose state may be kept in the process behind it.
    /// Such a connection is never evicted once the session has used it.
    default boolean isOwned() {
        return false;
    }

    /// The borrower of the server as a whole that this one is a part of; itself if there is none.
    default Borrower root() {
        return this;
    }

    /// The client in whose turn this borrower waits: requests of equal clients keep their order, and different
    /// clients take turns.
    Object client();
}
