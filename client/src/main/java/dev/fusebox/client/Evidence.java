package dev.fusebox.client;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What was seen of a failure. Data, never searched as text. Immutable.
///
/// @param exitCode of the server's process; null if it did not exit
/// @param signal that ended the process, such as `SIGKILL`; null if none did
/// @param stderrTail the last lines that the process wrote to stderr; empty if it wrote none
/// @param httpStatus null if there was no HTTP answer
/// @param retryAfter how long the server wants to be left alone; null if it did not say
public record Evidence(
        @Nullable Integer exitCode,
        @Nullable String signal,
        List<String> stderrTail,
        @Nullable Integer httpStatus,
        @Nullable Duration retryAfter) {
    public static final Evidence NONE = new Evidence(null, null, List.of(), null, null);

    /// Of an answer over HTTP.
    ///
    /// @param retryAfter null if the server did not say
    public static Evidence ofHttp(int status, @Nullable Duration retryAfter) {
        return new Evidence(null, null, List.of(), status, retryAfter);
    }

    public Evidence {
        stderrTail = List.copyOf(stderrTail);
    }
}
