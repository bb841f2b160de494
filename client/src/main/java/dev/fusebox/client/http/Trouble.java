package dev.fusebox.client.http;

import dev.fusebox.client.Category;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Obstacle;
import dev.fusebox.client.Reached;

/// Ends what was being done, with the fault that the caller is told. Has no stack trace: it is a value on its way.
final class Trouble extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Fault fault;

    Trouble(Fault fault) {
        super(fault.message(), null, false, false);
        this.fault = fault;
    }

    /// Nothing of the request has left us.
    static Trouble notSent(Category category, String message) {
        return of(FaultCode.CONNECT_FAILED, category, Reached.NOT_SENT, message);
    }

    /// We ourselves lack something.
    static Trouble shortage(String message) {
        return of(FaultCode.OVERLOADED, Category.LOCAL, Reached.NOT_SENT, message);
    }

    /// The request was sent, and the line failed.
    static Trouble lineLost(String message) {
        return of(FaultCode.OUTCOME_UNKNOWN, Category.OFFLINE, Reached.UNKNOWN, message)
                .by(Obstacle.CONNECTION_LOST);
    }

    /// What came back is not what was to come.
    static Trouble nonsense(String message) {
        return of(FaultCode.PROTOCOL_VIOLATION, Category.OTHER, Reached.UNKNOWN, message);
    }

    /// The server sends the request elsewhere, again and again, and works on it nowhere.
    static Trouble redirected(String message, int status) {
        return new Trouble(new Fault(
                FaultCode.HTTP_ERROR,
                Category.OTHER,
                Reached.REJECTED,
                message + " (HTTP " + status + ")",
                Evidence.ofHttp(status, null)));
    }

    private static Trouble of(FaultCode code, Category category, Reached reached, String message) {
        return new Trouble(new Fault(code, category, reached, message, Evidence.NONE));
    }

    /// The same, with what is known to have stood in the way.
    Trouble by(Obstacle obstacle) {
        return new Trouble(fault.by(obstacle));
    }

    Fault fault() {
        return fault;
    }
}
