package dev.fusebox.client.resilience;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Outcome;

/// Tells a connection that could not be had from the same news once more: all attempts of one call are one
/// outcome, and when only repetitions waited for a connection, the failure of the first attempt has been counted
/// already. Thread-safe; nothing blocks.
///
/// An attempt to connect is not its callers': it goes on when they have left, and then it counts.
final class ConnectRetryDedup {
    private int first;
    private int again;

    /// An attempt of a call begins.
    ///
    /// @param isAgain whether the one before found no connection
    synchronized void enter(boolean isAgain) {
        again += isAgain ? 1 : 0;
        first += isAgain ? 0 : 1;
    }

    synchronized void leave(boolean isAgain) {
        again -= isAgain ? 1 : 0;
        first -= isAgain ? 0 : 1;
    }

    /// Whether a connection that could not be had says anything new: not if all who wait for it have said it.
    synchronized boolean isNews() {
        return first > 0 || again == 0;
    }

    /// Whether an attempt found no connection.
    static boolean isUnconnected(Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                && switch (failure.evidence().extent()) {
                    case CONNECTING -> FailureAttribution.isServers(failure.category());
                    case CALL, CONNECTION -> false;
                };
    }
}
