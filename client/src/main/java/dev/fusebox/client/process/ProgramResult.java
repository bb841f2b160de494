package dev.fusebox.client.process;

/// How a run of a program ended. Immutable. Its text form contains no output.
public sealed interface ProgramResult {
    /// The program exited, or another process ended it.
    ///
    /// @param status its exit status; 128 and the number of the signal that ended it
    /// @param output all of its standard output, as UTF-8
    /// @param lastError the last line of its standard error, printable; empty if it printed none
    record Exited(int status, String output, String lastError) implements ProgramResult {
        @Override
        public String toString() {
            return "Exited[status=" + status + "]";
        }
    }

    /// The program did not start, or it was ended because it exceeded a limit.
    ///
    /// @param isMissing whether there is no such program
    /// @param detail what was tried and what was found; names neither arguments nor variables
    record Failed(boolean isMissing, String detail) implements ProgramResult {}
}
