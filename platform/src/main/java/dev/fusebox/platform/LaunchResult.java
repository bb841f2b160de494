package dev.fusebox.platform;

/// What came of starting a program.
public sealed interface LaunchResult {
    /// It runs.
    record Running(SpawnedProcess process) implements LaunchResult {}

    /// It does not run, and nothing of it is left.
    ///
    /// @param detail what was tried and what was found; names neither arguments nor variables
    record Failed(Cause cause, String detail) implements LaunchResult {}

    /// Why a program does not run.
    enum Cause {
        NOT_FOUND,
        NOT_EXECUTABLE,
        /// The file is there, but not what it names to be run by; or it has no format that this machine knows.
        BAD_INTERPRETER,
        BAD_DIRECTORY,
        /// We have no descriptors, processes or memory left: says nothing about the program.
        SHORTAGE,
        OTHER
    }
}
