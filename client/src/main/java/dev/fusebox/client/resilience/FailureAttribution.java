package dev.fusebox.client.resilience;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;

/// The attribution of a failed call: a failure of the server, a success, or neither.
enum FailureAttribution {
    /// The failure counts against the server.
    SERVER,
    /// The server did not answer: a health check decides.
    SILENCE,
    /// The server answered, so it is alive.
    SUCCESS,
    /// The failure gives no information about the server.
    NEITHER;

    static FailureAttribution of(CallFailure failure) {
        return switch (failure.category()) {
            case OFFLINE -> isSilence(failure) ? SILENCE : SERVER;
            case HTTP, STDIO_EXIT -> SERVER;
            // A server that has lost a session is alive.
            case OTHER -> failure.id() == ErrorId.SESSION_LOST ? NEITHER : SERVER;
            case PROTOCOL -> SUCCESS;
            case CANCELLED -> failure.delivery() == Delivery.UNKNOWN ? SILENCE : NEITHER;
            case AUTH, LOCAL, POLICY -> NEITHER;
        };
    }

    /// Whether the server answered the call. An error of the server is an answer as well, and so is one that
    /// was too large.
    static boolean isAnswer(Outcome outcome) {
        return !(outcome instanceof Outcome.Failed(CallFailure failure))
                || failure.delivery() == Delivery.REJECTED
                || failure.category() == FailureCategory.PROTOCOL;
    }

    /// Whether an answer reports an error.
    static boolean isError(Message.Answer answer) {
        JsonView result = answer.result();
        JsonView isError = result == null ? null : result.member("isError");
        return result == null || (isError != null && isError.isTrue());
    }

    private static boolean isSilence(CallFailure failure) {
        return failure.code() == ErrorCode.TIMEOUT && failure.delivery() == Delivery.UNKNOWN;
    }

    /// Whether failures of this kind count against a server.
    static boolean isServers(FailureCategory category) {
        return switch (category) {
            case OFFLINE, HTTP, STDIO_EXIT, OTHER -> true;
            case PROTOCOL, CANCELLED, AUTH, LOCAL, POLICY -> false;
        };
    }
}
