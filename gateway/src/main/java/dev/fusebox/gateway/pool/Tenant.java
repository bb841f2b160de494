package dev.fusebox.gateway.pool;

/// Somebody who has connections to a server. Thread-safe; nothing blocks.
public interface Tenant {
    /// The server, as messages name it.
    String server();

    Stay stay();

    /// Whether there is work for the connection, on it or on the way to it.
    boolean isWanted();

    /// Whether its server is not what it was, or is no more: its connections end as soon as nobody is on them.
    default boolean isRetired() {
        return false;
    }

    /// The client whose turn it is when this one waits: those that are equal wait in order, and others take turns.
    Object client();
}
