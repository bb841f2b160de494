package dev.fusebox.client.resilience;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Outcome;

/// The deduplication of connect failures: all attempts of one call are one outcome, so if only repeated
/// attempts waited for a connection, the failure was counted with the first attempt. Thread-safe; nothing
/// blocks.
///
/// A connection attempt does not belong to its callers: it continues after they have left, and then it counts.
final class ConnectRetryDedup {
    private int first;
    private int again;

    /// Begins an attempt of a call.
    ///
    /// @param isAgain whether the previous attempt failed to connect
    synchronized void enter(boolean isAgain) {
        again += isAgain ? 1 : 0;
        first += isAgain ? 0 : 1;
    }

    synchronized void leave(boolean isAgain) {
        again -= isAgain ? 1 : 0;
        first -= isAgain ? 0 : 1;
    }

    /// Whether a connect failure is new: not if all attempts that wait for it have reported one before.
    synchronized boolean isNews() {
        return first > 0 || again == 0;
    }

    /// Whether an attempt failed to connect.
    static boolean isUnconnected(Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                && switch (failure.evidence().extent()) {
                    case CONNECTING -> FailureAttribution.isServers(failure.category());
                    case CALL, CONNECTION -> false;
                };
    }
}
