package dev.fusebox.client;

import org.jspecify.annotations.Nullable;

/// Carries frames to a server. Thread-safe; nothing blocks.
public interface Wire {
    /// Takes a frame to be sent, or says no because too much waits or nobody is there any more.
    boolean send(byte[] frame);

    /// The process that it leads to; null if it leads to none of our own.
    default @Nullable Long process() {
        return null;
    }

    /// Ends the connection and whatever is behind it. Twice is the same as once.
    void close();
}
