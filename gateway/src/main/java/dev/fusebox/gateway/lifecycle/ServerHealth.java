package dev.fusebox.gateway.lifecycle;

import dev.fusebox.client.CallFailure;
import org.jspecify.annotations.Nullable;

/// A summary of a server's lifecycle state. Immutable.
///
/// @param message an explanation of the status
/// @param isProcess whether it is a local process
/// @param live the number of open connections
/// @param lastFailure the last failure; null if there was none since it was ready
public record ServerHealth(
        String server,
        ServerStatus status,
        String message,
        boolean isProcess,
        int live,
        @Nullable CallFailure lastFailure) {
    /// The message of status idle.
    public static final String NOT_CONNECTED = "ready, not connected";

    /// The state of its process in one word; null for a remote server.
    public @Nullable String process() {
        if (!isProcess) {
            return null;
        }
        if (live > 0) {
            return "running";
        }
        return switch (status) {
            case CONNECTING -> "starting";
            case RESTARTING, PERMANENTLY_FAILED -> "exited";
            default -> "absent";
        };
    }

    /// The state of its connection in one word; null if it has none.
    ///
    /// @param inFlight calls in flight to it
    public @Nullable String connection(int inFlight) {
        if (status == ServerStatus.CONNECTING) {
            return "connecting";
        }
        if (live == 0) {
            return status.isDown() ? "failed" : null;
        }
        return inFlight > 0 ? "active" : "idle";
    }
}
