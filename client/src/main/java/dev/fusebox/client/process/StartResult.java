package dev.fusebox.client.process;

/// Result of starting a child process. Immutable.
public sealed interface StartResult {
    /// It runs, and its listener may already have been called.
    record Started(ChildProcess child) implements StartResult {}

    /// It does not run, and nothing of it is left; its listener is never called.
    ///
    /// @param message for people; names the command, but neither arguments nor values of variables
    record NotStarted(Kind kind, String message) implements StartResult {}

    /// Why a child was not started.
    enum Kind {
        COMMAND_NOT_FOUND,
        NOT_EXECUTABLE,
        BAD_INTERPRETER,
        BAD_DIRECTORY,
        /// The gateway is out of file descriptors, processes or memory, or too many starts are pending: gives no
        /// information about the server.
        OUR_SHORTAGE,
        /// The gateway is shutting down.
        CLOSING,
        OTHER
    }
}
