package dev.fusebox.config;

/// Who has a connection to a server for itself.
public enum Isolation {
    /// Nobody: all clients share, so that none of them can be asked anything.
    SHARED,
    /// Each session of a client, which can be asked over it; clients that have no sessions share.
    SESSION,
    /// Each call of a client that can be asked anything, while it lasts.
    CALL
}
