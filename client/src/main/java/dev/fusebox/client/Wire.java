package dev.fusebox.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Carries frames to a server. Thread-safe; only [#awaitGone] blocks.
public interface Wire {
    /// Takes a frame to be sent, or says no because too much waits or nobody is there any more.
    boolean send(byte[] frame);

    /// The process that it leads to; null if it leads to none of our own.
    default @Nullable Long process() {
        return null;
    }

    /// Waits until nothing is left of what is behind it, once it has ended; false if that takes longer.
    default boolean awaitGone(Duration limit) throws InterruptedException {
        return true;
    }

    /// Ends the connection and whatever is behind it. Twice is the same as once.
    void close();
}
