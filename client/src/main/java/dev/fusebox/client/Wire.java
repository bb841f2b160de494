package dev.fusebox.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Transport of frames to a server. Thread-safe; only [#awaitGone] blocks.
public interface Wire {
    /// Accepts a frame for sending; false if the queue is full or the peer is gone.
    boolean send(byte[] frame);

    /// The id of the server process; null if the wire leads to no child process.
    default @Nullable Long process() {
        return null;
    }

    /// Waits until nothing is left of the peer after its end, such as its process tree; false if that takes
    /// longer.
    default boolean awaitGone(Duration limit) throws InterruptedException {
        return true;
    }

    /// Ends the connection and its peer process, if any. Idempotent.
    void close();
}
