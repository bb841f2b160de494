package dev.fusebox.gateway.ailment;

import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.client.Obstacle;

/// Tells of what kind a failure is, by its code and its evidence and never by its text. Pure functions,
/// thread-safe; nothing blocks.
public final class Ailments {
    private Ailments() {}

    /// The kind of a failed call.
    public static Ailment of(Fault fault) {
        return switch (fault.code()) {
            case BREAKER_OPEN -> Ailment.BREAKER_OPEN;
            case TOOL_BREAKER_OPEN -> Ailment.TOOL_BREAKER_OPEN;
            case INVALID_ARGUMENTS -> Ailment.INVALID_ARGUMENTS;
            case UNKNOWN_SERVER -> Ailment.UNKNOWN_SERVER;
            case UNKNOWN_TOOL -> Ailment.UNKNOWN_TOOL;
            case TOOL_BLOCKED -> Ailment.TOOL_BLOCKED;
            case SERVER_DISABLED -> Ailment.SERVER_DISABLED;
            case PERMANENTLY_FAILED -> Ailment.PERMANENTLY_FAILED;
            case CANCELLED -> Ailment.CANCELLED;
            case SERVER_RESTARTED -> Ailment.SERVER_RESTARTED;
            case SESSION_LOST -> Ailment.SESSION_LOST;
            case INTERNAL -> Ailment.INTERNAL;
            case CONNECT_FAILED -> seen(fault.evidence(), Ailment.CONNECT_FAILED);
            case SERVER_CRASHED -> seen(fault.evidence(), Ailment.SERVER_EXITED);
            case TIMEOUT -> seen(fault.evidence(), Ailment.CALL_TIMEOUT);
            case AUTH_REQUIRED -> seen(fault.evidence(), Ailment.HTTP_401);
            case HTTP_ERROR -> seen(fault.evidence(), Ailment.HTTP_ERROR);
            case OVERLOADED -> seen(fault.evidence(), Ailment.OVERLOADED);
            case OUTCOME_UNKNOWN -> seen(fault.evidence(), Ailment.OUTCOME_UNKNOWN);
            case PROTOCOL_VIOLATION -> seen(fault.evidence(), Ailment.PROTOCOL_VIOLATION);
        };
    }

    private static Ailment seen(Evidence evidence, Ailment otherwise) {
        Obstacle obstacle = evidence.obstacle();
        Integer status = evidence.httpStatus();
        if (obstacle != null) {
            return of(obstacle);
        }
        if (evidence.signal() != null) {
            return Ailment.SERVER_KILLED;
        }
        if (evidence.exitCode() != null) {
            return Ailment.SERVER_EXITED;
        }
        return status == null ? otherwise : of(status);
    }

    private static Ailment of(int status) {
        return switch (status) {
            case 401 -> Ailment.HTTP_401;
            case 403 -> Ailment.HTTP_403;
            case 404 -> Ailment.HTTP_404;
            case 405 -> Ailment.HTTP_405;
            case 406 -> Ailment.HTTP_406;
            case 429 -> Ailment.HTTP_429;
            default ->
                status >= 500 ? Ailment.HTTP_5XX : status / 100 == 3 ? Ailment.HTTP_REDIRECT : Ailment.HTTP_ERROR;
        };
    }

    private static Ailment of(Obstacle obstacle) {
        return switch (obstacle) {
            case COMMAND_NOT_FOUND -> Ailment.COMMAND_NOT_FOUND;
            case NOT_EXECUTABLE -> Ailment.COMMAND_NOT_EXECUTABLE;
            case BAD_INTERPRETER -> Ailment.INTERPRETER_MISSING;
            case BAD_DIRECTORY -> Ailment.FOLDER_MISSING;
            case OUTPUT_CLOSED -> Ailment.OUTPUT_CLOSED;
            case INPUT_CLOSED -> Ailment.INPUT_CLOSED;
            case ENDLESS_LINE -> Ailment.ENDLESS_LINE;
            case STUCK -> Ailment.SERVER_STUCK;
            case NAME_NOT_FOUND -> Ailment.NAME_NOT_FOUND;
            case NAME_SERVICE_SILENT -> Ailment.NAME_SERVICE_SILENT;
            case CONNECTION_REFUSED -> Ailment.CONNECTION_REFUSED;
            case NETWORK_UNREACHABLE -> Ailment.NETWORK_UNREACHABLE;
            case CONNECT_TIMEOUT -> Ailment.CONNECT_TIMEOUT;
            case CERTIFICATE_EXPIRED -> Ailment.CERTIFICATE_EXPIRED;
            case CERTIFICATE_UNTRUSTED -> Ailment.CERTIFICATE_UNTRUSTED;
            case CERTIFICATE_OF_ANOTHER -> Ailment.CERTIFICATE_OF_ANOTHER;
            case TLS_FAILED -> Ailment.TLS_FAILED;
            case CONNECTION_LOST -> Ailment.CONNECTION_LOST;
            case NOT_HTTP -> Ailment.NOT_HTTP;
            case WEB_PAGE -> Ailment.WEB_PAGE;
            case NO_MESSAGE -> Ailment.NO_MESSAGE;
            case HANDSHAKE_REFUSED -> Ailment.HANDSHAKE_REFUSED;
        };
    }
}
