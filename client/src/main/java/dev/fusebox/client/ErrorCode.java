package dev.fusebox.client;

import java.util.Locale;

/// What went wrong, as callers are told it.
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
    /// An operator restarted the server while it worked on the call.
    SERVER_RESTARTED,
    OUTCOME_UNKNOWN,
    /// The server does not know our session any more, and so has done nothing.
    SESSION_LOST,
    PROTOCOL_VIOLATION,
    INTERNAL;

    /// The spelling on the wire: `breaker_open`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
