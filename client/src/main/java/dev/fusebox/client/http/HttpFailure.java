package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.FailureCause;

/// Exception that carries a [CallFailure] out of an exchange. It has no stack trace, since it is an expected
/// value.
final class HttpFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final transient CallFailure failure;

    HttpFailure(CallFailure failure) {
        super(failure.message(), null, false, false);
        this.failure = failure;
    }

    /// Nothing of the request was sent.
    static HttpFailure notSent(FailureCategory category, String message) {
        return of(ErrorCode.CONNECT_FAILED, category, Delivery.NOT_SENT, message);
    }

    /// This process lacks resources.
    static HttpFailure overloaded(String message) {
        return of(ErrorCode.OVERLOADED, FailureCategory.LOCAL, Delivery.NOT_SENT, message);
    }

    /// The request was sent, and the connection failed.
    static HttpFailure connectionLost(String message) {
        return of(ErrorCode.OUTCOME_UNKNOWN, FailureCategory.OFFLINE, Delivery.UNKNOWN, message)
                .by(FailureCause.CONNECTION_LOST);
    }

    /// The response is not valid.
    static HttpFailure protocolViolation(String message) {
        return of(ErrorCode.PROTOCOL_VIOLATION, FailureCategory.OTHER, Delivery.UNKNOWN, message);
    }

    /// The server redirects the request again and again, and never handles it.
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

    /// The same with this cause.
    HttpFailure by(FailureCause cause) {
        return new HttpFailure(failure.by(cause));
    }

    CallFailure failure() {
        return failure;
    }
}
