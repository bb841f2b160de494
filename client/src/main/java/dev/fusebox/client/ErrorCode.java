package dev.fusebox.client;

import java.util.Locale;

/// Code of a failure, as callers see it: the coarse classes of the [error ids][ErrorId].
public enum ErrorCode {
    BREAKER_OPEN,
    TOOL_BREAKER_OPEN,
    TIMEOUT,
    CONNECT_FAILED,
    SERVER_CRASHED,
    AUTH_REQUIRED,
    HTTP_ERROR,
    OVERLOADED,
    INVALID_ARGUMENTS,
    UNKNOWN_SERVER,
    UNKNOWN_TOOL,
    TOOL_BLOCKED,
    SERVER_DISABLED,
    PERMANENTLY_FAILED,
    CANCELLED,
    SERVER_RESTARTED,
    OUTCOME_UNKNOWN,
    PROTOCOL_VIOLATION,
    LIMIT_EXCEEDED,
    INTERNAL;

    /// The spelling on the wire: `breaker_open`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
