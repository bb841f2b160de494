package dev.fusebox.config;

/// Which clients have their own server process.
public enum ServerIsolation {
    /// The client, if it is the only one.
    AUTO,
    /// No client.
    SHARED,
    /// Each session of a client.
    SESSION
}
