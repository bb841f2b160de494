package dev.fusebox.http;

import org.jspecify.annotations.Nullable;

/// An open stream of server-sent events to one client. Thread-safe; never blocks.
///
/// Events wait in a queue, which a thread of the connection empties. The connection is closed if another event is
/// sent while [HttpLimits#maxWaitingBytes] (or the limit given for this stream) are waiting, or if the client
/// reads nothing for [HttpTimes#clientWrite].
///
/// Every sending method returns whether the client was still connected. True means queued, not delivered.
public interface EventStream extends AutoCloseable {
    /// Sends one event. Every line end in the data (CR, LF or both) begins a new data line.
    ///
    /// @param id omitted if null
    boolean event(@Nullable String id, byte[] data);

    /// Sends one event with a name, as clients of revision 2024-11-05 expect.
    boolean named(String name, byte[] data);

    /// Sends a comment, which every client ignores, to find out whether the client is still connected.
    boolean comment();

    /// Sets the time that the client waits before it reconnects.
    boolean retry(long millis);

    /// Ends the stream after the waiting events have been sent. Does nothing the second time.
    @Override
    void close();
}
