package dev.fusebox.config;

/// The lowest severity in the gateway's own log.
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
