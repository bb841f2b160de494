package dev.fusebox.client;

/// The result of a health check of a connection.
public enum HealthCheckResult {
    /// The server has sent something, or answered.
    ALIVE,
    /// The server has sent nothing.
    SILENT,
    /// The connection is gone and the reason is known elsewhere, or this process was suspended.
    UNKNOWN
}
