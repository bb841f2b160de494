package dev.fusebox.client;

import dev.fusebox.breaker.Rejection;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What was seen of a failure, and what is known around it. Data, never searched as text. Immutable.
///
/// @param exitCode of the server's process; null if it did not exit
/// @param signal that ended the process, such as `SIGKILL`; null if none did
/// @param stderrTail the last lines that the process wrote to stderr; empty if it wrote none
/// @param httpStatus null if there was no HTTP answer
/// @param retryAfter how long the server wants to be left alone; null if it did not say
/// @param extent how many calls see the same
/// @param context what is known around it
/// @param cause what stood in the way; null if that is not known for sure
public record Evidence(
        @Nullable Integer exitCode,
        @Nullable String signal,
        List<String> stderrTail,
        @Nullable Integer httpStatus,
        @Nullable Duration retryAfter,
        Extent extent,
        Context context,
        @Nullable FailureCause cause) {
    public static final Evidence NONE =
            new Evidence(null, null, List.of(), null, null, Extent.CALL, Context.NONE, null);

    /// What is known around a failure. Immutable.
    ///
    /// @param rejection the breaker's own words, if a breaker refused the call
    /// @param server that the call was for; null where there is only one
    /// @param tool as its server calls it; null if it was no call of a tool, or there is only one server
    /// @param alternatives that are well and offer the same
    /// @param schema what the arguments have to be, as JSON, if they were not
    public record Context(
            @Nullable Rejection rejection,
            @Nullable String server,
            @Nullable String tool,
            List<Alternative> alternatives,
            @Nullable String schema) {
        static final Context NONE = new Context(null, null, null, List.of(), null);

        public Context {
            alternatives = List.copyOf(alternatives);
        }
    }

    /// A tool of another server.
    public record Alternative(String server, String tool) {}

    /// What a failure is about. A connection is counted by whoever opened it, once, and not by the calls that
    /// needed it.
    public enum Extent {
        /// One call alone.
        CALL,
        /// An attempt to connect, and all calls that waited for it.
        CONNECTING,
        /// A connection, and all calls on it.
        CONNECTION
    }

    /// Of an answer over HTTP.
    ///
    /// @param retryAfter null if the server did not say
    public static Evidence ofHttp(int status, @Nullable Duration retryAfter) {
        return new Evidence(null, null, List.of(), status, retryAfter, Extent.CALL, Context.NONE, null);
    }

    /// Of the end of a process.
    ///
    /// @param code null if it was ended by a signal
    /// @param signal null if it ended by itself
    public static Evidence ofExit(@Nullable Integer code, @Nullable String signal, List<String> stderrTail) {
        return new Evidence(code, signal, stderrTail, null, null, Extent.CALL, Context.NONE, null);
    }

    /// A server's wish to be left alone, or ours.
    public static Evidence ofPause(Duration retryAfter) {
        return new Evidence(null, null, List.of(), null, retryAfter, Extent.CALL, Context.NONE, null);
    }

    /// The same, with the time after which a retry makes sense.
    public Evidence retryAfter(Duration pause) {
        return new Evidence(exitCode, signal, stderrTail, httpStatus, pause, extent, context, cause);
    }

    /// Of a refusal by a breaker.
    static Evidence of(Rejection rejection) {
        return NONE.in(new Context(rejection, null, null, List.of(), null));
    }

    /// Of a refusal of what a tool does not take.
    static Evidence ofSchema(String schema) {
        return NONE.in(new Context(null, null, null, List.of(), schema));
    }

    /// The same, with this known around it.
    Evidence in(Context other) {
        return new Evidence(exitCode, signal, stderrTail, httpStatus, retryAfter, extent, other, cause);
    }

    /// The same, seen by so many.
    Evidence of(Extent other) {
        return new Evidence(exitCode, signal, stderrTail, httpStatus, retryAfter, other, context, cause);
    }

    /// The same, with this known to have stood in the way.
    Evidence of(FailureCause known) {
        return new Evidence(exitCode, signal, stderrTail, httpStatus, retryAfter, extent, context, known);
    }

    /// Whether anything of the server was seen.
    public boolean isEmpty() {
        return exitCode == null && signal == null && stderrTail.isEmpty() && httpStatus == null;
    }

    public Evidence {
        stderrTail = List.copyOf(stderrTail);
    }
}
