package dev.fusebox.gateway.session;

/// A channel to the client, for one request or for messages that belong to none. Thread-safe; blocks for a short,
/// bounded time at most, and ignores a client that has disconnected.
public interface ClientChannel {
    /// Sends a message that precedes the response: progress, a log message, a request of the server.
    void send(byte[] frame);

    /// Sends the response; nothing follows.
    void finish(byte[] answer);

    /// Ends without a response, because the client no longer wants one.
    void abandon();
}
