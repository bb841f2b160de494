package dev.fusebox.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A failed call: what happened, who is to blame, how far it got, and what was seen. Immutable.
///
/// @param message what was tried, what was found, what to do
public record Fault(FaultCode code, Category category, Reached reached, String message, Evidence evidence) {

    /// How long the server wants to be left alone; null if it did not say.
    public @Nullable Duration retryAfter() {
        return evidence.retryAfter();
    }

    /// Sent, and not answered in time.
    public static Fault timeout(String message) {
        return new Fault(FaultCode.TIMEOUT, Category.OFFLINE, Reached.UNKNOWN, message, Evidence.NONE);
    }

    /// Answered with more than is let in.
    public static Fault tooLarge(long bytes, long limit) {
        String message = "result too large (" + (bytes >> 20) + " MiB > " + (limit >> 20) + " MiB)";
        return new Fault(FaultCode.PROTOCOL_VIOLATION, Category.PROTOCOL, Reached.REJECTED, message, Evidence.NONE);
    }

    /// Cancelled, and perhaps done all the same.
    public static Fault cancelled() {
        return new Fault(
                FaultCode.CANCELLED, Category.CANCELLED, Reached.UNKNOWN, "cancelled by the client", Evidence.NONE);
    }

    /// Cancelled before anything was sent.
    public static Fault cancelledUnsent() {
        return notSent(FaultCode.CANCELLED, Category.CANCELLED, "cancelled by the client");
    }

    /// The same failure, seen by a call that had to wait for what failed.
    public Fault unsent() {
        return new Fault(code, category, Reached.NOT_SENT, message, evidence);
    }

    /// A failure of ours, before anything was sent.
    public static Fault notSent(FaultCode code, String message) {
        return notSent(code, Category.LOCAL, message);
    }

    /// It provably never reached the server.
    public static Fault notSent(FaultCode code, Category category, String message) {
        return new Fault(code, category, Reached.NOT_SENT, message, Evidence.NONE);
    }
}
