package dev.fusebox.gateway.era;

/// The way back to the client for one request of the stateless era. Thread-safe; blocks for a short, bounded time
/// at most, and says nothing of a client that has left.
public interface ResponseChannel {
    /// Something that comes before the answer.
    void send(byte[] frame);

    /// The answer; nothing follows.
    void finish(byte[] frame, Kind kind);

    /// What kind of an answer it is, which over HTTP is also told by the status.
    enum Kind {
        /// The server answered, with a result or an error of its own.
        ANSWERED,
        /// The request breaks the rules of the protocol.
        REFUSED,
        /// There is no such method.
        UNKNOWN_METHOD
    }

    /// There will be no answer, because the client no longer wants one, or its subscription has ended.
    void abandon();

    /// Shows the client that the line holds, where a line can be cut for being silent.
    default void keepAlive() {
        // Most lines need no such thing.
    }
}
