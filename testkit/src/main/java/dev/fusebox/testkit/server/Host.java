package dev.fusebox.testkit.server;

import java.io.IOException;

/// The process a server lives in, as far as a server can harm it. Thread-safe.
interface Host {
    /// A process that belongs to somebody else, who would not like it harmed.
    static Host borrowed() {
        return new Borrowed();
    }

    /// Dies.
    ///
    /// @param how an exit code, or the name of a signal
    void crash(String how) throws ToolFault;

    /// Starts a process that stays and holds our pipes; tells its id.
    long fork(long seconds, boolean detached) throws ToolFault, IOException;

    /// Writes on standard error.
    void complain(long bytes, boolean inLines) throws ToolFault;

    void closeStdout() throws ToolFault;

    void closeStderr() throws ToolFault;

    /// Reads no more from standard input.
    void stopReading() throws ToolFault;

    /// Refuses everything.
    final class Borrowed implements Host {
        private static ToolFault refusal() {
            return new ToolFault("only a server in a process of its own can do that; start one with ScriptedServer");
        }

        @Override
        public void crash(String how) throws ToolFault {
            throw refusal();
        }

        @Override
        public long fork(long seconds, boolean detached) throws ToolFault {
            throw refusal();
        }

        @Override
        public void complain(long bytes, boolean inLines) throws ToolFault {
            throw refusal();
        }

        @Override
        public void closeStdout() throws ToolFault {
            throw refusal();
        }

        @Override
        public void closeStderr() throws ToolFault {
            throw refusal();
        }

        @Override
        public void stopReading() throws ToolFault {
            throw refusal();
        }
    }
}
