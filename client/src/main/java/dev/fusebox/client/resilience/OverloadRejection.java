package dev.fusebox.client.resilience;

import dev.fusebox.client.CallFailure;
import java.time.Duration;

/// What calls are told for which there is no place. Pure functions.
final class OverloadRejection {
    /// When a place may be free again: a guess, since calls do not say when they end.
    private static final Duration WAIT = Duration.ofSeconds(1);

    private OverloadRejection() {}

    static CallFailure overloaded(String server, FairBulkhead.Full full) {
        return switch (full.why()) {
            case GIVEN_UP -> CallFailure.cancelledUnsent();
            case QUEUE_FULL, TIME_OVER, TURNED_AWAY ->
                CallFailure.overloaded(
                        server + " has " + full.inside() + " calls under way and " + full.waiting()
                                + " waiting; the call was not sent, try again in 1 s",
                        WAIT);
        };
    }

    /// Few calls are let in while it is found out whether a server is back.
    static CallFailure recovering(String server) {
        return CallFailure.overloaded(server + " is being tried out again after it was down; try again in 1 s", WAIT);
    }
}
