package dev.fusebox.config;

/// Which clients have their own connection to a server.
public enum Isolation {
    /// None: all clients share, so that a server cannot send requests to any of them.
    SHARED,
    /// Each client session, to which the server can then send requests; clients without sessions share.
    SESSION,
    /// Each group of client sessions that can share a process: all of them as long as the server asks nothing, and
    /// each for itself when it does.
    ADAPTIVE,
    /// Each call of a client that supports server requests, for its duration.
    CALL
}
