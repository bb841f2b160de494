package dev.fusebox.testkit.server;

/// The end of a call without a result of what it ran. Has no stack trace.
abstract sealed class NoResult extends Exception permits ToolError, RpcError, InputRequired {
    private static final long serialVersionUID = 1;

    NoResult(String message) {
        super(message, null, false, false);
    }

    final String message() {
        return String.valueOf(getMessage());
    }
}
