package dev.fusebox.gateway.era;

/// The response channel for one modern request. Thread-safe; blocks for a short, bounded time at most, and does
/// not report whether the client has left.
public interface ResponseChannel {
    /// Sends a message that comes before the answer.
    void send(byte[] frame);

    /// Sends the answer; nothing follows.
    void finish(byte[] frame, Kind kind);

    /// The kind of an answer, which over HTTP also determines the status.
    enum Kind {
        /// The server answered, with a result or with its own error.
        ANSWERED,
        /// The request violates the protocol.
        REFUSED,
        /// There is no such method.
        UNKNOWN_METHOD
    }

    /// Ends the channel without an answer, because the client no longer waits for one, or its subscription has
    /// ended.
    void abandon();

    /// Sends a keep-alive where an idle connection may be cut.
    default void keepAlive() {
        // Most transports need no keep-alive.
    }
}
