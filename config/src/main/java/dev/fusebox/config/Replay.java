package dev.fusebox.config;

/// Which failed calls may be retried.
public enum Replay {
    /// Calls that never reached the server, and calls of tools that are idempotent.
    SAFE,
    /// All calls for which another attempt may succeed.
    ALWAYS,
    /// None.
    NEVER
}
