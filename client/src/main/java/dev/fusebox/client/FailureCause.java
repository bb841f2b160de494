package dev.fusebox.client;

/// What stood in the way of a connection or an answer, where that is known for sure. Told by types and status
/// numbers, never by searching a text.
public enum FailureCause {
    // ---- A process that did not start
    COMMAND_NOT_FOUND,
    NOT_EXECUTABLE,
    BAD_INTERPRETER,
    BAD_DIRECTORY,
    // ---- A process that was of no use any more
    OUTPUT_CLOSED,
    INPUT_CLOSED,
    ENDLESS_LINE,
    STUCK,
    // ---- The way to a server elsewhere
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
    // ---- Who answers there
    NOT_HTTP,
    /// A page for people, where a message was to come.
    WEB_PAGE,
    /// A success with nothing in it that is a message.
    NO_MESSAGE,
    /// A server that shakes no hands, or speaks another revision than before.
    HANDSHAKE_REFUSED
}
