package dev.fusebox.testkit.server;

import java.io.IOException;

/// The process a server lives in, as far as a server can harm it. Thread-safe.
interface HostProcess {
    /// A process that belongs to somebody else, who would not like it harmed.
    static HostProcess borrowed() {
        return new Borrowed();
    }

    /// Dies.
    ///
    /// @param how an exit code, or the name of a signal
    void crash(String how) throws ToolError;

    /// Starts a process that stays and holds our pipes; tells its id.
    long fork(long seconds, boolean detached) throws ToolError, IOException;

    /// Writes on standard error.
    void complain(long bytes, boolean inLines) throws ToolError;

    void closeStdout() throws ToolError;

    void closeStderr() throws ToolError;

    /// Reads no more from standard input.
    void stopReading() throws ToolError;

    /// Refuses everything.
    final class Borrowed implements HostProcess {
        private static ToolError refusal() {
            return new ToolError("only a server in a process of its own can do that; start one with ScriptedServer");
        }

        @Override
        public void crash(String how) throws ToolError {
            throw refusal();
        }

        @Override
        public long fork(long seconds, boolean detached) throws ToolError {
            throw refusal();
        }

        @Override
        public void complain(long bytes, boolean inLines) throws ToolError {
            throw refusal();
        }

        @Override
        public void closeStdout() throws ToolError {
            throw refusal();
        }

        @Override
        public void closeStderr() throws ToolError {
            throw refusal();
        }

        @Override
        public void stopReading() throws ToolError {
            throw refusal();
        }
    }
}
