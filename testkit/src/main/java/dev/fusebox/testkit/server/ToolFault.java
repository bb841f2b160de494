package dev.fusebox.testkit.server;

/// A tool that could not do its work: its answer is a result with `isError`.
final class ToolFault extends NoResult {
    private static final long serialVersionUID = 1;

    ToolFault(String message) {
        super(message);
    }
}
