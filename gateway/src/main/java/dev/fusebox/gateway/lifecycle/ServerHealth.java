package dev.fusebox.gateway.lifecycle;

import dev.fusebox.client.CallFailure;
import org.jspecify.annotations.Nullable;

/// How a server is, for people. Immutable.
///
/// @param message what its status means
/// @param isProcess whether it is a process of ours
/// @param live connections that are there
/// @param lastFailure what went wrong last; null if nothing did since it was ready
public record ServerHealth(
        String server,
        ServerStatus status,
        String message,
        boolean isProcess,
        int live,
        @Nullable CallFailure lastFailure) {
    /// What idle means.
    public static final String NOT_CONNECTED = "ready, not connected";

    /// The state of its process, in one word; null if it is none of ours.
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

    /// The state of its connection, in one word; null if it has none.
    ///
    /// @param inFlight calls that are on their way to it
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
