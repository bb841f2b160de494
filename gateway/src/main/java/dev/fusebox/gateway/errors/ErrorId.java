package dev.fusebox.gateway.errors;

import java.util.Locale;

/// The stable id of a kind of failure. It appears in the doctor's findings, the error objects of failed calls, the
/// log and the API, and never changes; `docs/errors` has a page for each.
public enum ErrorId {
    CONFIG_MISSING,
    CONFIG_NOT_ALLOWED,
    CONFIG_INVALID,
    SERVER_INVALID,
    CONFIG_WARNING,
    VARIABLE_MISSING,
    SERVER_DISABLED,
    COMMAND_SHAPE,
    VARIABLE_SHAPE,
    COMMAND_NOT_FOUND,
    COMMAND_NOT_EXECUTABLE,
    INTERPRETER_MISSING,
    FOLDER_MISSING,
    SPAWN_FAILED,
    GATEWAY_SHORT,
    PACKAGE_NOT_FOUND,
    MODULE_MISSING,
    HOME_NOT_EXPANDED,
    DOCKER_UNREACHABLE,
    NPX_CACHE_STALE,
    SERVER_EXITED,
    SERVER_KILLED,
    OUTPUT_CLOSED,
    INPUT_CLOSED,
    ENDLESS_LINE,
    SERVER_STUCK,
    OUTPUT_NOISE,
    HANDSHAKE_SILENT,
    HANDSHAKE_REFUSED,
    NAME_NOT_FOUND,
    NAME_SERVICE_SILENT,
    CONNECTION_REFUSED,
    NETWORK_UNREACHABLE,
    CONNECT_TIMEOUT,
    CERTIFICATE_EXPIRED,
    CERTIFICATE_UNTRUSTED,
    CERTIFICATE_OF_ANOTHER,
    TLS_FAILED,
    CONNECTION_LOST,
    NOT_HTTP,
    WEB_PAGE,
    NO_MESSAGE,
    HTTP_401,
    HTTP_403,
    HTTP_404,
    HTTP_405,
    HTTP_406,
    HTTP_429,
    HTTP_5XX,
    HTTP_REDIRECT,
    HTTP_ERROR,
    CONNECT_FAILED,
    TOOLS_UNLISTED,
    TOOLS_ENDLESS,
    LIST_FAILED,
    TOOL_INVALID,
    TOOL_NAME_TWICE,
    HIDDEN_TEXT,
    CALL_TIMEOUT,
    OUTCOME_UNKNOWN,
    BREAKER_OPEN,
    TOOL_BREAKER_OPEN,
    PERMANENTLY_FAILED,
    OVERLOADED,
    INVALID_ARGUMENTS,
    UNKNOWN_SERVER,
    UNKNOWN_TOOL,
    TOOL_BLOCKED,
    CANCELLED,
    SERVER_RESTARTED,
    SESSION_LOST,
    PROTOCOL_VIOLATION,
    INTERNAL,
    TIME_OVER,
    STATUS_DOWN,
    GATEWAY_UNREACHABLE,
    ORPHANS,
    STALE_SOCKETS,
    FILES_OPEN,
    MEMORY_SHORT;

    /// The external spelling, for example `command-not-found`.
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The path of its page, relative to the checkout.
    public String page() {
        return "docs/errors/" + id() + ".md";
    }

    @Override
    public String toString() {
        return id();
    }
}
