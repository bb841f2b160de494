package dev.fusebox.gateway.session;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One-sentence messages for failed calls: what failed, whether the call was executed, when to retry, and which
/// alternatives exist. Pure functions.
final class FailureText {
    /// Models do not weigh more names.
    private static final int MAX_ALTERNATIVES = 3;

    private FailureText() {}

    static String of(CallFailure failure) {
        String deliveryText = deliveryText(failure);
        String message = failure.message();
        boolean goesOn = !deliveryText.isEmpty() && message.endsWith(".");
        String failed = (goesOn ? message.substring(0, message.length() - 1) : message) + deliveryText;
        String alternativesText = alternativesText(failure);
        return alternativesText.isEmpty() ? failed : failed + (failed.endsWith(".") ? " " : ". ") + alternativesText;
    }

    /// Messages with these codes describe the server's failure; those with other codes already say whether the
    /// call was executed.
    private static String deliveryText(CallFailure failure) {
        if (isOfConnection(failure)) {
            return delivered(failure.delivery()) + retryText(failure.retryAfter());
        }
        return switch (failure.code()) {
            case SERVER_CRASHED, CONNECT_FAILED, HTTP_ERROR, AUTH_REQUIRED ->
                delivered(failure.delivery()) + retryText(failure.retryAfter());
            case BREAKER_OPEN,
                    TOOL_BREAKER_OPEN,
                    TIMEOUT,
                    OVERLOADED,
                    INVALID_ARGUMENTS,
                    UNKNOWN_SERVER,
                    UNKNOWN_TOOL,
                    TOOL_BLOCKED,
                    SERVER_DISABLED,
                    PERMANENTLY_FAILED,
                    CANCELLED,
                    SERVER_RESTARTED,
                    OUTCOME_UNKNOWN,
                    PROTOCOL_VIOLATION,
                    LIMIT_EXCEEDED,
                    INTERNAL -> "";
        };
    }

    /// Whether the message describes the end of a connection, or what a server did on it. A violation of the protocol
    /// has the category `other` if it ended the connection, and `protocol` if a single response was wrong.
    private static boolean isOfConnection(CallFailure failure) {
        return failure.id() == ErrorId.CONNECTION_LOST
                || (failure.id() == ErrorId.PROTOCOL_VIOLATION && failure.category() == FailureCategory.OTHER);
    }

    private static String delivered(Delivery delivery) {
        return switch (delivery) {
            case NOT_SENT -> "; the call was not sent";
            case REJECTED -> "; the server rejected the call";
            case UNKNOWN -> "; the call may have been executed";
        };
    }

    private static String retryText(@Nullable Duration wait) {
        return wait == null ? "" : ", try again in " + Math.max(1, (wait.toMillis() + 999) / 1000) + " s";
    }

    /// If the call may have been executed, no alternative is offered: it might be executed twice.
    private static String alternativesText(CallFailure failure) {
        List<Evidence.Alternative> alternatives = failure.evidence().context().alternatives();
        if (alternatives.isEmpty() || failure.delivery() == Delivery.UNKNOWN) {
            return "";
        }
        StringBuilder names = new StringBuilder();
        for (Evidence.Alternative other : alternatives.subList(0, Math.min(MAX_ALTERNATIVES, alternatives.size()))) {
            names.append(names.isEmpty() ? "Use " : " or ")
                    .append(other.server())
                    .append('/')
                    .append(other.tool());
        }
        return names.append(" instead.").toString();
    }
}
