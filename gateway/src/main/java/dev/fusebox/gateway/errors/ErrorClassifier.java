package dev.fusebox.gateway.errors;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCause;

/// Mapping from a failure's code and evidence to its error id; the message text is never searched. Pure functions,
/// thread-safe; nothing blocks.
public final class ErrorClassifier {
    private ErrorClassifier() {}

    /// The error id of a failed call.
    public static ErrorId of(CallFailure failure) {
        return switch (failure.code()) {
            case BREAKER_OPEN -> ErrorId.BREAKER_OPEN;
            case TOOL_BREAKER_OPEN -> ErrorId.TOOL_BREAKER_OPEN;
            case INVALID_ARGUMENTS -> ErrorId.INVALID_ARGUMENTS;
            case UNKNOWN_SERVER -> ErrorId.UNKNOWN_SERVER;
            case UNKNOWN_TOOL -> ErrorId.UNKNOWN_TOOL;
            case TOOL_BLOCKED -> ErrorId.TOOL_BLOCKED;
            case SERVER_DISABLED -> ErrorId.SERVER_DISABLED;
            case PERMANENTLY_FAILED -> ErrorId.PERMANENTLY_FAILED;
            case CANCELLED -> ErrorId.CANCELLED;
            case SERVER_RESTARTED -> ErrorId.SERVER_RESTARTED;
            case SESSION_LOST -> ErrorId.SESSION_LOST;
            case INTERNAL -> ErrorId.INTERNAL;
            case CONNECT_FAILED -> seen(failure.evidence(), ErrorId.CONNECT_FAILED);
            case SERVER_CRASHED -> seen(failure.evidence(), ErrorId.SERVER_EXITED);
            case TIMEOUT -> seen(failure.evidence(), ErrorId.CALL_TIMEOUT);
            case AUTH_REQUIRED -> seen(failure.evidence(), ErrorId.HTTP_401);
            case HTTP_ERROR -> seen(failure.evidence(), ErrorId.HTTP_ERROR);
            case OVERLOADED -> seen(failure.evidence(), ErrorId.OVERLOADED);
            case OUTCOME_UNKNOWN -> seen(failure.evidence(), ErrorId.OUTCOME_UNKNOWN);
            case PROTOCOL_VIOLATION -> seen(failure.evidence(), ErrorId.PROTOCOL_VIOLATION);
        };
    }

    private static ErrorId seen(Evidence evidence, ErrorId otherwise) {
        FailureCause cause = evidence.cause();
        Integer status = evidence.httpStatus();
        if (cause != null) {
            return of(cause);
        }
        if (evidence.signal() != null) {
            return ErrorId.SERVER_KILLED;
        }
        if (evidence.exitCode() != null) {
            return ErrorId.SERVER_EXITED;
        }
        return status == null ? otherwise : of(status);
    }

    private static ErrorId of(int status) {
        return switch (status) {
            case 401 -> ErrorId.HTTP_401;
            case 403 -> ErrorId.HTTP_403;
            case 404 -> ErrorId.HTTP_404;
            case 405 -> ErrorId.HTTP_405;
            case 406 -> ErrorId.HTTP_406;
            case 429 -> ErrorId.HTTP_429;
            default ->
                status >= 500 ? ErrorId.HTTP_5XX : status / 100 == 3 ? ErrorId.HTTP_REDIRECT : ErrorId.HTTP_ERROR;
        };
    }

    private static ErrorId of(FailureCause cause) {
        return switch (cause) {
            case COMMAND_NOT_FOUND -> ErrorId.COMMAND_NOT_FOUND;
            case NOT_EXECUTABLE -> ErrorId.COMMAND_NOT_EXECUTABLE;
            case BAD_INTERPRETER -> ErrorId.INTERPRETER_MISSING;
            case BAD_DIRECTORY -> ErrorId.FOLDER_MISSING;
            case OUTPUT_CLOSED -> ErrorId.OUTPUT_CLOSED;
            case INPUT_CLOSED -> ErrorId.INPUT_CLOSED;
            case ENDLESS_LINE -> ErrorId.ENDLESS_LINE;
            case STUCK -> ErrorId.SERVER_STUCK;
            case NAME_NOT_FOUND -> ErrorId.NAME_NOT_FOUND;
            case NAME_SERVICE_SILENT -> ErrorId.NAME_SERVICE_SILENT;
            case CONNECTION_REFUSED -> ErrorId.CONNECTION_REFUSED;
            case NETWORK_UNREACHABLE -> ErrorId.NETWORK_UNREACHABLE;
            case CONNECT_TIMEOUT -> ErrorId.CONNECT_TIMEOUT;
            case CERTIFICATE_EXPIRED -> ErrorId.CERTIFICATE_EXPIRED;
            case CERTIFICATE_UNTRUSTED -> ErrorId.CERTIFICATE_UNTRUSTED;
            case CERTIFICATE_OF_ANOTHER -> ErrorId.CERTIFICATE_OF_ANOTHER;
            case TLS_FAILED -> ErrorId.TLS_FAILED;
            case CONNECTION_LOST -> ErrorId.CONNECTION_LOST;
            case NOT_HTTP -> ErrorId.NOT_HTTP;
            case WEB_PAGE -> ErrorId.WEB_PAGE;
            case NO_MESSAGE -> ErrorId.NO_MESSAGE;
            case HANDSHAKE_REFUSED -> ErrorId.HANDSHAKE_REFUSED;
        };
    }
}
