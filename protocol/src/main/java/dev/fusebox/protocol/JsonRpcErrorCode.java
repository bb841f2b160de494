package dev.fusebox.protocol;

/// Error codes of JSON-RPC and of the Model Context Protocol. Constants, thread-safe.
public final class JsonRpcErrorCode {
    public static final int PARSE_ERROR = -32700;
    public static final int INVALID_REQUEST = -32600;
    public static final int METHOD_NOT_FOUND = -32601;
    public static final int INVALID_PARAMS = -32602;
    public static final int INTERNAL_ERROR = -32603;
    /// Resource not found, up to revision 2025-11-25.
    public static final int RESOURCE_NOT_FOUND = -32002;

    /// The client has not announced a capability that the request needs (revision 2026-07-28).
    public static final int MISSING_CLIENT_CAPABILITY = -32021;

    private JsonRpcErrorCode() {}
}
