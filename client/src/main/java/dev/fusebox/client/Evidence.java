package dev.fusebox.client;

import dev.fusebox.breaker.Rejection;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Evidence of a failure, with its context. It is data, never searched as text. Immutable.
///
/// @param exitCode of the server's process; null if it did not exit
/// @param signal that ended the process, such as `SIGKILL`; null if none did
/// @param stderrTail the last lines that the process wrote to stderr; empty if it wrote none
/// @param httpStatus null if there was no HTTP response
/// @param retryAfter the pause that the server asked for; null if it did not
/// @param extent which calls the failure affects
/// @param context of the call
public record Evidence(
        @Nullable Integer exitCode,
        @Nullable String signal,
        List<String> stderrTail,
        @Nullable Integer httpStatus,
        @Nullable Duration retryAfter,
        Extent extent,
        Context context) {
    public static final Evidence NONE = new Evidence(null, null, List.of(), null, null, Extent.CALL, Context.NONE);

    /// Context of a failure. Immutable.
    ///
    /// @param rejection of the breaker, if a breaker rejected the call
    /// @param server that the call was for; null where there is only one
    /// @param tool under the name that its server uses; null if the call was not a tool call, or there is only one
    ///     server
    /// @param alternatives healthy tools that offer the same
    /// @param schema that the arguments violate, as JSON; null if they do not
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

    /// A tool of another server that offers the same.
    public record Alternative(String server, String tool) {}

    /// Which calls a failure affects. The failure of a connection is counted once, where the connection was
    /// opened, and not by the calls that needed it.
    public enum Extent {
        /// One call only.
        CALL,
        /// An attempt to connect, with all calls that wait for it.
        CONNECTING,
        /// A connection, with all calls on it.
        CONNECTION
    }

    /// Evidence of an HTTP response.
    ///
    /// @param retryAfter null if the server did not say
    public static Evidence ofHttp(int status, @Nullable Duration retryAfter) {
        return new Evidence(null, null, List.of(), status, retryAfter, Extent.CALL, Context.NONE);
    }

    /// Evidence of the end of a process.
    ///
    /// @param code null if it was ended by a signal
    /// @param signal null if it exited by itself
    public static Evidence ofExit(@Nullable Integer code, @Nullable String signal, List<String> stderrTail) {
        return new Evidence(code, signal, stderrTail, null, null, Extent.CALL, Context.NONE);
    }

    /// Evidence of a pause that the server or the gateway asks for.
    public static Evidence ofPause(Duration retryAfter) {
        return new Evidence(null, null, List.of(), null, retryAfter, Extent.CALL, Context.NONE);
    }

    /// The same with the time after which a retry makes sense.
    public Evidence retryAfter(Duration pause) {
        return new Evidence(exitCode, signal, stderrTail, httpStatus, pause, extent, context);
    }

    /// Evidence of a rejection by a breaker.
    static Evidence of(Rejection rejection) {
        return NONE.in(new Context(rejection, null, null, List.of(), null));
    }

    /// Evidence of invalid arguments.
    static Evidence ofSchema(String schema) {
        return NONE.in(new Context(null, null, null, List.of(), schema));
    }

    /// The same in this context.
    Evidence in(Context other) {
        return new Evidence(exitCode, signal, stderrTail, httpStatus, retryAfter, extent, other);
    }

    /// The same with this extent.
    Evidence of(Extent other) {
        return new Evidence(exitCode, signal, stderrTail, httpStatus, retryAfter, other, context);
    }

    /// Whether there is no evidence from the server.
    public boolean isEmpty() {
        return exitCode == null && signal == null && stderrTail.isEmpty() && httpStatus == null;
    }

    public Evidence {
        stderrTail = List.copyOf(stderrTail);
    }
}
