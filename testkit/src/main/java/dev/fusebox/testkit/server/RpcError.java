package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonRpcErrorCode;
import org.jspecify.annotations.Nullable;

/// A request that cannot be answered with a result: what the error says instead.
final class RpcError extends NoResult {
    /// 2026-07-28, basic, error codes; each comes with a status of its own over HTTP.
    private static final int HEADER_MISMATCH = -32020;

    private static final int MISSING_CAPABILITY = -32021;
    private static final int UNSUPPORTED_VERSION = -32022;

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;

    private static final long serialVersionUID = 1;

    private final int code;
    private final int status;
    private final @Nullable String data;

    /// @param data JSON; null for none
    RpcError(int code, String message, @Nullable String data) {
        this(code, OK, message, data);
    }

    private RpcError(int code, int status, String message, @Nullable String data) {
        super(message);
        this.code = code;
        this.status = status;
        this.data = data;
    }

    static RpcError invalidParams(String message) {
        return new RpcError(JsonRpcErrorCode.INVALID_PARAMS, message, null);
    }

    static RpcError noSuchMethod(String method) {
        return new RpcError(JsonRpcErrorCode.METHOD_NOT_FOUND, NOT_FOUND, "there is no method '" + method + "'", null);
    }

    /// A request of the stateless era that lacks what every request must have.
    static RpcError malformed(String message) {
        return new RpcError(JsonRpcErrorCode.INVALID_PARAMS, BAD_REQUEST, message, null);
    }

    static RpcError headerMismatch(String message) {
        return new RpcError(HEADER_MISMATCH, BAD_REQUEST, message, null);
    }

    static RpcError missingCapability(String capability) {
        return new RpcError(
                MISSING_CAPABILITY,
                BAD_REQUEST,
                "this needs a client with the capability " + capability,
                "{\"requiredCapabilities\":{" + ToolContent.quoted(capability) + ":{}}}");
    }

    /// @param supported JSON
    static RpcError unsupportedVersion(String requested, String supported) {
        return new RpcError(
                UNSUPPORTED_VERSION,
                BAD_REQUEST,
                "this server does not speak " + requested,
                "{\"supported\":" + supported + ",\"requested\":" + ToolContent.quoted(requested) + "}");
    }

    /// The same with another code.
    RpcError under(int other) {
        return new RpcError(other, status, message(), data);
    }

    int code() {
        return code;
    }

    /// What the stateless era wants for a status, over HTTP.
    int status() {
        return status;
    }

    /// JSON; null if there is none.
    @Nullable
    String data() {
        return data;
    }
}
