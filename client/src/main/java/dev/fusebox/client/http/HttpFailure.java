package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;

/// Exception that carries a [CallFailure] out of an exchange. It has no stack trace, since it is an expected
/// value. Immutable; nothing blocks.
public final class HttpFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final transient CallFailure failure;

    public HttpFailure(CallFailure failure) {
        super(failure.message(), null, false, false);
        this.failure = failure;
    }

    /// A failure with the category and the delivery state of its id.
    static HttpFailure of(ErrorId id, String message) {
        return new HttpFailure(CallFailure.of(id, message));
    }

    /// Nothing of the request was sent.
    static HttpFailure notSent(FailureCategory category, String message) {
        return new HttpFailure(CallFailure.notSent(ErrorId.CONNECT_FAILED, category, message));
    }

    /// This process lacks resources.
    static HttpFailure overloaded(String message) {
        return new HttpFailure(CallFailure.notSent(ErrorId.OVERLOADED, message));
    }

    /// The request was sent, and the connection failed.
    static HttpFailure connectionLost(String message) {
        return of(ErrorId.CONNECTION_LOST, message);
    }

    /// The response is not valid.
    static HttpFailure protocolViolation(String message) {
        return new HttpFailure(new CallFailure(
                ErrorId.PROTOCOL_VIOLATION, FailureCategory.OTHER, Delivery.UNKNOWN, message, Evidence.NONE));
    }

    /// The server redirects the request again and again, and never handles it.
    static HttpFailure redirected(String message, int status) {
        return new HttpFailure(new CallFailure(
                ErrorId.HTTP_REDIRECT,
                FailureCategory.OTHER,
                Delivery.REJECTED,
                message + " (HTTP " + status + ")",
                Evidence.ofHttp(status, null)));
    }

    /// What failed, and whether the request was sent.
    public CallFailure failure() {
        return failure;
    }
}
