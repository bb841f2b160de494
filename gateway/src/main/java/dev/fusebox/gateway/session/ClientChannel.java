package dev.fusebox.gateway.session;

/// The way back to the client for one request, or for what belongs to none. Thread-safe; blocks for a short,
/// bounded time at most, and says nothing of a client that has left.
public interface ClientChannel {
    /// Something that comes before the answer: progress, a log line, a question.
    void send(byte[] frame);

    /// The answer; nothing follows.
    void finish(byte[] answer);

    /// There will be no answer, because the client no longer wants one.
    void abandon();
}
