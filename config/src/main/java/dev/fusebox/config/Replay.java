package dev.fusebox.config;

/// Which failed calls may be sent again.
public enum Replay {
    /// Calls that never reached the server, and calls of tools that are idempotent.
    SAFE,
    /// All calls that another attempt may help.
    ALWAYS,
    /// None.
    NEVER
}
