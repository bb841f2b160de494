package dev.fusebox.http;

import org.jspecify.annotations.Nullable;

/// An open stream of server-sent events to one client. Thread-safe; never blocks.
///
/// What is sent waits in a queue, which a thread of the connection empties. A client that is sent one more event
/// when [HttpLimits#maxWaitingBytes] or what else was agreed on wait, or that does not take anything for
/// [HttpTimes#clientWrite], is cut off.
///
/// Every sending method says whether the client was still there. True means queued, not arrived.
public interface EventStream extends AutoCloseable {
    /// Sends one event. Every line end in the data (CR, LF or both) begins a new data line.
    ///
    /// @param id left out if null
    boolean event(@Nullable String id, byte[] data);

    /// Sends one event with a name, which is what old clients wait for.
    boolean named(String name, byte[] data);

    /// Sends a comment, which every client ignores: it shows whether the client is still there.
    boolean comment();

    /// Tells the client how long to wait before it connects anew.
    boolean retry(long millis);

    /// Ends the stream after what waits has been sent. Does nothing the second time.
    @Override
    void close();
}
