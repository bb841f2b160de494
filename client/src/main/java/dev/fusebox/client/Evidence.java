package dev.fusebox.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What was seen of a failure. Data, never searched as text. Immutable.
///
/// @param exitCode of the server's process; null if it did not exit
/// @param signal that ended the process, such as `SIGKILL`; null if none did
/// @param stderrTail the last lines that the process wrote to stderr; empty if it wrote none
/// @param httpStatus null if there was no HTTP answer
public record Evidence(
        @Nullable Integer exitCode,
        @Nullable String signal,
        List<String> stderrTail,
        @Nullable Integer httpStatus) {
    public static final Evidence NONE = new Evidence(null, null, List.of(), null);

    public Evidence {
        stderrTail = List.copyOf(stderrTail);
    }
}
