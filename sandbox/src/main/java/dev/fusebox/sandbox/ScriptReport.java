package dev.fusebox.sandbox;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a script with its log and its calls. Immutable.
///
/// @param logs the lines of its console
/// @param calls in the order in which the script made them
public record ScriptReport(Ended ended, List<String> logs, List<CallMade> calls) {
    public ScriptReport {
        logs = List.copyOf(logs);
        calls = List.copyOf(calls);
    }

    /// The report of a script that never started.
    static ScriptReport of(Ended ended) {
        return new ScriptReport(ended, List.of(), List.of());
    }

    /// A call that a script made.
    ///
    /// @param ok whether it was answered without an error
    public record CallMade(String server, String tool, boolean ok, long durationMs) {}

    /// How a script ended.
    public sealed interface Ended {
        /// It ran to its end.
        record Finished(JsonView result) implements Ended {}

        /// It threw an error, or has a syntax error.
        ///
        /// @param kind of error, like `TypeError`
        /// @param line of the error; 0 if unknown
        /// @param error of the failed call that the script did not catch; null if it was not a call
        record Threw(
                String kind,
                String message,
                int line,
                @Nullable JsonView error) implements Ended {}

        /// It was stopped.
        record Stopped(Reason reason, String message) implements Ended {}
    }

    /// The reason why the sandbox stopped a script.
    public enum Reason {
        /// It timed out.
        TIME,
        /// It exceeded its memory limit.
        MEMORY,
        /// It exceeded its output limit.
        OUTPUT,
        /// The client cancelled it.
        CANCELLED,
        /// It did not start: too many scripts, or no worker could be started.
        BUSY,
        /// Its worker ended for an unknown reason.
        CRASHED
    }
}
