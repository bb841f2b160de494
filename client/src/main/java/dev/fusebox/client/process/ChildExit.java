package dev.fusebox.client.process;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// End of the use of a child process, with the evidence. Immutable.
///
/// @param code exit code, 128 and more after a signal; null while the process itself has not exited yet
/// @param signal name of the signal that ended it, like `SIGKILL`; null if none did
/// @param uptime from the start to this end
/// @param stopped whether the gateway had begun to stop it before
/// @param stderrTail the last lines of its stderr, ten lines and a kilobyte at most; empty if there were none
/// @param reason the line of its stderr that says why it exited, maybe older than the tail; null if there is none
public record ChildExit(
        Cause cause,
        @Nullable Integer code,
        @Nullable String signal,
        Duration uptime,
        boolean stopped,
        List<String> stderrTail,
        @Nullable String reason) {
    public ChildExit {
        stderrTail = List.copyOf(stderrTail);
    }

    /// Why a child is no longer usable. All but the first also end it: its process tree is killed.
    public enum Cause {
        /// The process exited.
        ENDED,
        /// It closed its stdout and did not exit.
        OUTPUT_CLOSED,
        /// It closed its stdin and did not exit, as a write has shown.
        INPUT_CLOSED,
        /// It wrote a line that did not end within the limits.
        ENDLESS_LINE,
        /// It did not read its stdin for longer than the limit.
        STUCK,
        /// A thread of the gateway for this child failed; a bug of the gateway, not of the child.
        READER_FAILED
    }
}
