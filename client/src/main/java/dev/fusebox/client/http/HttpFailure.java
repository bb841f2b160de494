package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.FailureCause;

/// Ends what was being done, with the fault that the caller is told. Has no stack trace: it is a value on its way.
final class HttpFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final transient CallFailure failure;

    HttpFailure(CallFailure failure) {
        super(failure.message(), null, false, false);
        this.failure = failure;
    }

    /// Nothing of the request has left us.
    static HttpFailure notSent(FailureCategory category, String message) {
        return of(ErrorCode.CONNECT_FAILED, category, Delivery.NOT_SENT, message);
    }

    /// We ourselves lack something.
    static HttpFailure shortage(String message) {
        return of(ErrorCode.OVERLOADED, FailureCategory.LOCAL, Delivery.NOT_SENT, message);
    }

    /// The request was sent, and the line failed.
    static HttpFailure lineLost(String message) {
        return of(ErrorCode.OUTCOME_UNKNOWN, FailureCategory.OFFLINE, Delivery.UNKNOWN, message)
                .by(FailureCause.CONNECTION_LOST);
    }

    /// What came back is not what was to come.
    static HttpFailure nonsense(String message) {
        return of(ErrorCode.PROTOCOL_VIOLATION, FailureCategory.OTHER, Delivery.UNKNOWN, message);
    }

    /// The server sends the request elsewhere, again and again, and works on it nowhere.
    static HttpFailure redirected(String message, int status) {
        return new HttpFailure(new CallFailure(
                ErrorCode.HTTP_ERROR,
                FailureCategory.OTHER,
                Delivery.REJECTED,
                message + " (HTTP " + status + ")",
                Evidence.ofHttp(status, null)));
    }

    private static HttpFailure of(ErrorCode code, FailureCategory category, Delivery delivery, String message) {
        return new HttpFailure(new CallFailure(code, category, delivery, message, Evidence.NONE));
    }

    /// The same, with what is known to have stood in the way.
    HttpFailure by(FailureCause cause) {
        return new HttpFailure(failure.by(cause));
    }

    CallFailure failure() {
        return failure;
    }
}
