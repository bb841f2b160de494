package dev.fusebox.config;

/// Which clients have their own connection to a server.
public enum Isolation {
    /// None: all clients share, so that a server cannot send requests to any of them.
    SHARED,
    /// Each client session, to which the server can then send requests; clients without sessions share.
    SESSION,
    /// Each group of client sessions that can share a process: several sessions once the server has shown that this
    /// makes no difference, and each session for itself until then, or if the server asks its client.
    ADAPTIVE,
    /// Each call of a client that supports server requests, for its duration.
    CALL
}
