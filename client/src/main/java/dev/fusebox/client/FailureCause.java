package dev.fusebox.client;

/// Cause of a failed start, connection or response, where it is known for sure. Derived from types and status
/// codes, never from texts.
public enum FailureCause {
    // ---- Process did not start
    COMMAND_NOT_FOUND,
    NOT_EXECUTABLE,
    BAD_INTERPRETER,
    BAD_DIRECTORY,
    // ---- Process became unusable
    OUTPUT_CLOSED,
    INPUT_CLOSED,
    ENDLESS_LINE,
    STUCK,
    // ---- Network
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
    // ---- Response
    NOT_HTTP,
    /// An HTML page in place of a message.
    WEB_PAGE,
    /// An HTTP success without a message in it.
    NO_MESSAGE,
    /// A server that rejects `initialize`, or uses another revision than before.
    HANDSHAKE_REFUSED
}
