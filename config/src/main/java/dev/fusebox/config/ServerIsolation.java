package dev.fusebox.config;

/// Who has a server for itself, as it is configured.
public enum ServerIsolation {
    /// The client, if it is the only one.
    AUTO,
    /// Nobody.
    SHARED,
    /// Each session of a client.
    SESSION
}
