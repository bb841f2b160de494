package dev.fusebox.gateway.lifecycle;

import dev.fusebox.client.CallFailure;
import org.jspecify.annotations.Nullable;

/// How a server is. Immutable.
///
/// @param message what that means, for people
/// @param live connections that are there
/// @param lastFailure what went wrong last; null if nothing did
/// @param nextAction what is done next if nothing happens; null if nothing
record LifecycleState(
        ServerStatus status,
        String message,
        int live,
        @Nullable CallFailure lastFailure,
        @Nullable NextAction nextAction,
        History history) {

    /// A server that nobody has called yet.
    static final LifecycleState FRESH =
            new LifecycleState(ServerStatus.IDLE, ServerHealth.NOT_CONNECTED, 0, null, null, History.NONE);

    /// Whether it is connected, and was kept from being asked what it offers.
    boolean isPutOff() {
        return status == ServerStatus.IDLE && live > 0;
    }

    /// Whether its crash budget is used up: a call starts it, or the self-probe, and no reading of what it offers.
    boolean isLeftToCalls() {
        return status == ServerStatus.ERROR && nextAction != null && nextAction.what() == NextAction.What.SELF_PROBE;
    }

    /// What of its past decides over its future. Immutable.
    ///
    /// @param greeted whether it has ever shaken hands
    /// @param crashCount crashes after that
    /// @param quick crashes in a row soon after the start
    /// @param probes how often it was tried again after it was given up
    /// @param restarts how often an operator had it started anew
    /// @param rereads how often in a row what it offers could not be read
    /// @param before what it was when the present attempt to connect began
    /// @param downSince when it was last up, by the monotonic clock; null if it is
    /// @param ended the process that crashed last and has no successor yet
    record History(
            boolean greeted,
            CrashCount crashCount,
            int quick,
            int probes,
            int restarts,
            int rereads,
            @Nullable Before before,
            @Nullable Long downSince,
            @Nullable Ended ended) {
        static final History NONE = new History(false, CrashCount.EMPTY, 0, 0, 0, 0, null, null, null);
    }

    /// What it was. Immutable.
    record Before(ServerStatus status, String message) {}

    /// A process that crashed. Immutable.
    record Ended(@Nullable Long process, String reason) {}
}
