package dev.fusebox.gateway.lifecycle;

import dev.fusebox.client.CallFailure;
import org.jspecify.annotations.Nullable;

/// The lifecycle state of a server. Immutable.
///
/// @param message an explanation of the status, for people
/// @param live the number of open connections
/// @param lastFailure the last failure; null if there was none
/// @param nextAction the next scheduled action; null if there is none
record LifecycleState(
        ServerStatus status,
        String message,
        int live,
        @Nullable CallFailure lastFailure,
        @Nullable NextAction nextAction,
        History history) {

    /// A server that has not been called yet.
    static final LifecycleState FRESH =
            new LifecycleState(ServerStatus.IDLE, ServerHealth.NOT_CONNECTED, 0, null, null, History.NONE);

    /// Whether it is connected, and reading its lists was postponed.
    boolean isPutOff() {
        return status == ServerStatus.IDLE && live > 0;
    }

    /// Whether its crash budget is used up: a call or the self-probe starts it, but not reading its lists.
    boolean isLeftToCalls() {
        return status == ServerStatus.ERROR && nextAction != null && nextAction.kind() == NextAction.Kind.SELF_PROBE;
    }

    /// The part of its history that affects later transitions. Immutable.
    ///
    /// @param greeted whether it has ever completed a handshake
    /// @param isTryingLogin whether the next connection is the probe of a login
    /// @param crashCount crashes after that
    /// @param quick consecutive crashes soon after the start
    /// @param probes the number of self-probes
    /// @param restarts the number of restarts by an operator
    /// @param rereads the number of consecutive failures to read its lists
    /// @param previousStatus the status before the current connection attempt
    /// @param downSince when it was last up, by the monotonic clock; null if it is
    /// @param ended the process that crashed last and has no successor yet
    record History(
            boolean greeted,
            boolean isTryingLogin,
            CrashCount crashCount,
            int quick,
            int probes,
            int restarts,
            int rereads,
            @Nullable PreviousStatus previousStatus,
            @Nullable Long downSince,
            @Nullable Ended ended) {
        static final History NONE = new History(false, false, CrashCount.EMPTY, 0, 0, 0, 0, null, null, null);
    }

    /// An earlier status. Immutable.
    record PreviousStatus(ServerStatus status, String message) {}

    /// A crashed process. Immutable.
    record Ended(@Nullable Long process, String reason) {}
}
