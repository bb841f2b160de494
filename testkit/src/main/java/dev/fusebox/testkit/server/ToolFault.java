package dev.fusebox.testkit.server;

/// A tool that could not do its work: its answer is a result with `isError`. Has no stack trace.
final class ToolFault extends Exception {
    private static final long serialVersionUID = 1;

    ToolFault(String message) {
        super(message, null, false, false);
    }

    String message() {
        return String.valueOf(getMessage());
    }
}
