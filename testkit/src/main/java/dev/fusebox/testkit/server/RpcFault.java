package dev.fusebox.testkit.server;

import dev.fusebox.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/// A request that cannot be answered with a result: what the error says instead. Has no stack trace.
final class RpcFault extends Exception {
    private static final long serialVersionUID = 1;

    private final int code;
    private final @Nullable String data;

    RpcFault(int code, String message, @Nullable String data) {
        super(message, null, false, false);
        this.code = code;
        this.data = data;
    }

    static RpcFault invalidParams(String message) {
        return new RpcFault(ErrorCode.INVALID_PARAMS, message, null);
    }

    int code() {
        return code;
    }

    String message() {
        return String.valueOf(getMessage());
    }

    /// JSON; null if there is none.
    @Nullable
    String data() {
        return data;
    }
}
