package dev.fusebox.config;

/// Which clients have a connection to a server of their own.
public enum Isolation {
    /// Nobody: all clients share, so that none of them can be asked anything.
    SHARED,
    /// Each session of a client, which can be asked over it; clients that have no sessions share.
    SESSION,
    /// Each call of a client that can be asked anything, while it lasts.
    CALL
}
