package dev.fusebox.config;

/// The lowest severity in the gateway's own log.
public enum LogLevel {
    /// Permanent failures.
    ERROR,
    /// Also problems.
    WARN,
    /// Also changes.
    INFO,
    /// Everything.
    DEBUG
}
