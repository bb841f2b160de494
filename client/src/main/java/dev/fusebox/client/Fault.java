package dev.fusebox.client;

/// A failed call: what happened, who is to blame, how far it got, and what was seen. Immutable.
///
/// @param message what was tried, what was found, what to do
public record Fault(FaultCode code, Category category, Reached reached, String message, Evidence evidence) {

    static Fault timeout(String message) {
        return new Fault(FaultCode.TIMEOUT, Category.OFFLINE, Reached.UNKNOWN, message, Evidence.NONE);
    }

    static Fault tooLarge(long bytes, long limit) {
        String message = "result too large (" + (bytes >> 20) + " MiB > " + (limit >> 20) + " MiB)";
        return new Fault(FaultCode.PROTOCOL_VIOLATION, Category.PROTOCOL, Reached.REJECTED, message, Evidence.NONE);
    }

    static Fault cancelled() {
        return new Fault(
                FaultCode.CANCELLED, Category.CANCELLED, Reached.UNKNOWN, "cancelled by the client", Evidence.NONE);
    }

    /// Cancelled before anything was sent.
    public static Fault cancelledUnsent() {
        return notSent(FaultCode.CANCELLED, Category.CANCELLED, "cancelled by the client");
    }

    /// The same failure, seen by a call that had to wait for what failed.
    Fault unsent() {
        return new Fault(code, category, Reached.NOT_SENT, message, evidence);
    }

    /// A failure of ours, before anything was sent.
    public static Fault notSent(FaultCode code, String message) {
        return notSent(code, Category.LOCAL, message);
    }

    static Fault notSent(FaultCode code, Category category, String message) {
        return new Fault(code, category, Reached.NOT_SENT, message, Evidence.NONE);
    }
}
