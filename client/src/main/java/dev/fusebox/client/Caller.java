package dev.fusebox.client;

/// Whoever a call is made for, as the server can reach them while it works.
@FunctionalInterface
public interface Caller {
    /// A caller that wants to hear nothing.
    Caller SILENT = frame -> {};

    /// Progress of this call; the token in it is the one the caller gave. Called on the connection's reader thread, so
    /// it
    /// may not block or take long.
    void progress(byte[] frame);
}
