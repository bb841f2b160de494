package dev.fusebox.client.process;

/// What came of starting a child.
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
        /// Descriptors, processes or memory of ours are used up, or too many starts are waiting: says nothing
        /// about the server.
        OUR_SHORTAGE,
        /// We are closing.
        CLOSING,
        OTHER
    }
}
