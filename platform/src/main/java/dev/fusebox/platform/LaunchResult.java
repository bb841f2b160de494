package dev.fusebox.platform;

/// The result of starting a program. Immutable.
public sealed interface LaunchResult {
    /// The program is running.
    record Running(SpawnedProcess process) implements LaunchResult {}

    /// The program is not running, and nothing of it is left.
    ///
    /// @param detail what was tried and what was found; names neither arguments nor variables
    record Failed(Cause cause, String detail) implements LaunchResult {}

    /// The reason why a program did not start.
    enum Cause {
        NOT_FOUND,
        NOT_EXECUTABLE,
        /// The interpreter that the file names is missing, or the file's format is unknown to this machine.
        BAD_INTERPRETER,
        BAD_DIRECTORY,
        /// This process has no descriptors, processes or memory left; gives no information about the program.
        SHORTAGE,
        OTHER
    }
}
