package dev.fusebox.client;

/// Opens connections to a server. Thread-safe.
@FunctionalInterface
public interface Connector {
    /// Opens a connection and lets the peer hear what comes from it. Blocks for a short, bounded time.
    Opened open(Peer peer);

    /// How that went. Immutable.
    sealed interface Opened {
        /// There is a connection.
        record Connected(Connection connection) implements Opened {}

        /// There is none.
        record Refused(Fault fault) implements Opened {}
    }
}
