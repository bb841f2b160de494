package dev.fusebox.client.resilience;

import dev.fusebox.client.CallFailure;
import java.time.Duration;

/// The failures of calls for which there is no place. Pure functions.
final class OverloadRejection {
    /// Suggested retry delay: an estimate, since the end of running calls is not known.
    private static final Duration WAIT = Duration.ofSeconds(1);

    private OverloadRejection() {}

    static CallFailure overloaded(String server, FairBulkhead.Full full) {
        return switch (full.rejectionReason()) {
            case GIVEN_UP -> CallFailure.cancelledUnsent();
            case QUEUE_FULL, TIME_OVER, TURNED_AWAY ->
                CallFailure.overloaded(
                        server + " has " + full.inside() + " calls in flight and " + full.waiting()
                                + " waiting; the call was not sent, try again in 1 s",
                        WAIT);
        };
    }

    /// For a server in slow start or probing, which admits few calls.
    static CallFailure recovering(String server) {
        return CallFailure.overloaded(server + " is recovering and accepts few calls; try again in 1 s", WAIT);
    }
}
