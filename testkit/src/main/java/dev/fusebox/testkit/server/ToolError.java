package dev.fusebox.testkit.server;

/// A tool that could not do its work: its answer is a result with `isError`.
final class ToolError extends NoResult {
    private static final long serialVersionUID = 1;

    ToolError(String message) {
        super(message);
    }
}
