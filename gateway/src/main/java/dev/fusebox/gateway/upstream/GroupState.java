package dev.fusebox.gateway.upstream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.Outcome;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which sessions may have left something in the memory of a process that they share, and which are still to be
/// told that it is lost. Thread-safe; nothing blocks, and its monitor is a leaf.
final class GroupState {
    private final Map<ClientSession, Use> uses = new HashMap<>();

    /// The number of processes that have ended with the state of a session.
    private int losses;

    /// What a session has done with the process.
    private static final class Use {
        private int calls;
        private boolean hasState;

        /// What the next result has to say; null if nothing is lost, or that was said.
        private @Nullable String untold;

        private int lostAt;
    }

    /// Begins a call; returns how often state was lost before, which the call needs later.
    synchronized int begin(ClientSession session) {
        uses.computeIfAbsent(session, _ -> new Use()).calls++;
        return losses;
    }

    /// Notes how a call has ended, before [#end]. Only a call that reached the process can have left state there.
    synchronized void ended(ClientSession session, int begunAt, Outcome outcome) {
        Use use = uses.get(session);
        boolean mayHaveReached = outcome instanceof Outcome.Failed(CallFailure failure)
                && failure.delivery() == Delivery.UNKNOWN
                && begunAt == losses;
        if (use != null) {
            use.hasState |= outcome instanceof Outcome.Answered || mayHaveReached;
        }
    }

    synchronized void end(ClientSession session) {
        Use use = uses.get(session);
        if (use != null) {
            use.calls--;
        }
    }

    /// The process has ended; a session with a call in flight may have left something there as well.
    ///
    /// @param report for each session that it concerns
    synchronized void lost(String report) {
        losses++;
        for (Use use : uses.values()) {
            if (use.hasState || use.calls > 0) {
                use.untold = report;
                use.lostAt = losses;
            }
            use.hasState = false;
        }
    }

    /// The report that the result of a call has to carry; null if there is none. A call that began before the loss
    /// may have been answered by the process that is gone.
    synchronized @Nullable String take(ClientSession session, int begunAt) {
        Use use = uses.get(session);
        if (use == null || use.untold == null || begunAt < use.lostAt) {
            return null;
        }
        String report = use.untold;
        use.untold = null;
        return report;
    }

    /// Removes a session, which does not use the process any more.
    synchronized void left(ClientSession session) {
        uses.remove(session);
    }
}
