package dev.fusebox.client;

/// Carries frames to a server. Thread-safe; nothing blocks.
public interface Wire {
    /// Takes a frame to be sent, or says no because too much waits or nobody is there any more.
    boolean send(byte[] frame);

    /// Ends the connection and whatever is behind it. Twice is the same as once.
    void close();
}
