package dev.fusebox.client.process;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the use of a child ended, with the evidence.
///
/// @param code exit code, 128 and more after a signal; null while the process itself has not ended yet
/// @param signal name of the signal that ended it, like `SIGKILL`; null if none did
/// @param uptime from the start to this end
/// @param stopped whether we had begun to stop it before
/// @param stderrTail the last lines of its errors, ten lines and a kilobyte at most; empty if there were none
/// @param reason the line of its errors that says why it ended, which may stand above those; null if there were
/// none
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

    /// Why a child is of no use any more. All but the first lead to its end, too: its tree is killed.
    public enum Cause {
        /// The process ended.
        ENDED,
        /// It closed its output and lived on.
        OUTPUT_CLOSED,
        /// It closed its input and lived on, which was found out by writing to it.
        INPUT_CLOSED,
        /// It wrote a line that did not end within the limits.
        ENDLESS_LINE,
        /// It did not read what was sent to it for longer than the limit.
        STUCK,
        /// Our own thread that reads its output failed; a fault of ours, not of the child.
        READER_FAILED
    }
}
