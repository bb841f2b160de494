package dev.fusebox.config;

/// The least severe of what the gateway's own log holds.
public enum LogLevel {
    /// What failed for good.
    ERROR,
    /// What is out of order as well.
    WARN,
    /// What changes as well.
    INFO,
    /// Everything.
    DEBUG
}
