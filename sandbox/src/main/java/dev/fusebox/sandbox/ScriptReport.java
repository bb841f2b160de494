package dev.fusebox.sandbox;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a script ended, and what it did until then. Immutable.
///
/// @param logs what it wrote to its console
/// @param calls that it made, in the order in which it made them
public record ScriptReport(Ended ended, List<String> logs, List<CallMade> calls) {
    public ScriptReport {
        logs = List.copyOf(logs);
        calls = List.copyOf(calls);
    }

    /// Of a script that never began.
    static ScriptReport of(Ended ended) {
        return new ScriptReport(ended, List.of(), List.of());
    }

    /// One call that a script made.
    ///
    /// @param ok whether it was answered, and with no error
    public record CallMade(String server, String tool, boolean ok, long durationMs) {}

    /// How a script ended.
    public sealed interface Ended {
        /// It came to its end.
        record Finished(JsonView result) implements Ended {}

        /// It threw something, or is no script.
        ///
        /// @param kind of error, like `TypeError`
        /// @param line where; 0 if that is not known
        /// @param error of the call that failed and that the script did not catch; null if it was no call
        record Threw(
                String kind,
                String message,
                int line,
                @Nullable JsonView error) implements Ended {}

        /// It was ended.
        record Stopped(Reason reason, String message) implements Ended {}
    }

    /// Why a script was ended by us.
    public enum Reason {
        /// Its time was over.
        TIME,
        /// It wanted more memory than it may have.
        MEMORY,
        /// It said more than it may.
        OUTPUT,
        /// Whoever wanted it wants it no more.
        CANCELLED,
        /// It did not begin: too much is going on, or no worker could be started.
        BUSY,
        /// Its worker ended, and we do not know why.
        CRASHED
    }
}
