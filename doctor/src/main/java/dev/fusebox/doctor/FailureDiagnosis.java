package dev.fusebox.doctor;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.process.CrashReason;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The mapping from a server's failure to a finding with cause, evidence and remedy. Thread-safe.
final class FailureDiagnosis {
    private static final int MAX_LINES = 20;

    private final DiagnosedServer server;
    private final String command;
    private final ServerEndpoint.@Nullable Stdio spec;
    private final Remedies remedies;

    /// @param command the executable file; empty if the server is not a process
    FailureDiagnosis(DiagnosedServer server, String command) {
        this.server = server;
        this.command = command;
        this.spec = server.server().state() instanceof ServerState.Ready(ServerEndpoint.Stdio process) ? process : null;
        this.remedies = new Remedies(server, command);
    }

    /// @param usual the check for a failure that is only a timeout
    /// @param operation the pending operation, which completes "before it answered"
    Finding of(Check usual, CallFailure failure, String operation) {
        ErrorId errorId = failure.id();
        if (errorId == ErrorId.CALL_TIMEOUT && usual == Check.HANDSHAKE) {
            errorId = ErrorId.HANDSHAKE_SILENT;
        }
        if (errorId == ErrorId.SERVER_EXITED && spec != null) {
            Finding known = crash(spec, failure);
            if (known != null) {
                return shown(known, failure);
            }
        }
        Check check = check(errorId, usual);
        return shown(Finding.fail(check, errorId, cause(errorId, failure, operation)), failure)
                .withRemedy(remedies.of(errorId, failure));
    }

    /// Null if the cause of the exit is unknown.
    private @Nullable Finding crash(ServerEndpoint.Stdio process, CallFailure failure) {
        String code = " (exited with code " + failure.evidence().exitCode() + ")";
        CrashCause cause = CrashCause.of(errors(failure));
        Optional<String> unexpanded = cause instanceof CrashCause.MissingFile(String path)
                ? HomePaths.in(process).filter(path::endsWith).findFirst()
                : Optional.empty();
        if (unexpanded.isPresent()) {
            return HomePaths.finding(Severity.FAIL, unexpanded.get(), server);
        }
        if (cause == null) {
            return null;
        }
        CrashRemedies known = new CrashRemedies(server, command);
        return Finding.fail(Check.SPAWN, cause.errorId(), known.cause(cause) + code)
                .withRemedy(known.of(cause));
    }

    /// The finding for a server that answered the handshake with an error.
    Finding refused(String cause) {
        return Finding.fail(Check.HANDSHAKE, ErrorId.HANDSHAKE_REFUSED, cause)
                .withRemedy(server.place("era") + ": update the server, or set \"era\" to the era that it supports");
    }

    /// The check to which it belongs: the exit of a process belongs to its start, regardless of the request.
    private static Check check(ErrorId errorId, Check usual) {
        return switch (errorId) {
            case SERVER_EXITED,
                    SERVER_KILLED,
                    INTERPRETER_MISSING,
                    SPAWN_FAILED,
                    OUTPUT_CLOSED,
                    INPUT_CLOSED,
                    ENDLESS_LINE,
                    SERVER_STUCK -> Check.SPAWN;
            case NAME_NOT_FOUND,
                    NAME_SERVICE_SILENT,
                    CONNECTION_REFUSED,
                    NETWORK_UNREACHABLE,
                    CONNECT_TIMEOUT,
                    CERTIFICATE_EXPIRED,
                    CERTIFICATE_UNTRUSTED,
                    CERTIFICATE_OF_ANOTHER,
                    TLS_FAILED,
                    CONNECTION_LOST,
                    NOT_HTTP,
                    WEB_PAGE,
                    NO_MESSAGE,
                    HTTP_404,
                    HTTP_405,
                    HTTP_406,
                    HTTP_429,
                    HTTP_5XX,
                    HTTP_REDIRECT,
                    HTTP_ERROR -> Check.NETWORK;
            case HTTP_401,
                    HTTP_403,
                    LOGIN_REQUIRED,
                    HEADERS_HELPER_FAILED,
                    ISSUER_DOWN,
                    KEYRING_LOCKED,
                    SCOPE_MISSING -> Check.AUTH;
            default -> usual;
        };
    }

    private String cause(ErrorId errorId, CallFailure failure, String operation) {
        Evidence evidence = failure.evidence();
        return switch (errorId) {
            case SERVER_EXITED ->
                "exited with code " + evidence.exitCode() + " before it answered " + operation
                        + meaning(evidence.exitCode()) + reason(errors(failure));
            case SERVER_KILLED ->
                "was terminated by " + evidence.signal() + " before it answered " + operation
                        + meaning(evidence.signal());
            case HANDSHAKE_SILENT -> failure.message() + perhapsDownloading();
            default -> failure.message();
        };
    }

    private String perhapsDownloading() {
        String runner = PackageRunner.of(server.server());
        return runner == null ? "" : "; " + runner + " may still be downloading it";
    }

    private static String reason(List<String> errors) {
        String reason = CrashReason.of(errors);
        return reason == null ? "" : ": " + reason;
    }

    /// The meaning of an exit code for shells and systems (POSIX, "Exit Status for Commands").
    private static String meaning(@Nullable Integer code) {
        return switch (code) {
            case 0 -> ": it exited normally, so it may not be an MCP server";
            case 2 -> ": usually because its arguments are wrong";
            case 126 -> ": the command that it runs cannot be executed";
            case 127 -> ": the command that it runs was not found";
            case 137 -> ": a child of it was killed by SIGKILL, usually because the system ran out of memory";
            case 139 -> ": a child of it was killed by SIGSEGV";
            case 143 -> ": a child of it was killed by SIGTERM";
            case null, default -> "";
        };
    }

    private static String meaning(@Nullable String signal) {
        return switch (signal) {
            case "SIGKILL" -> ": usually because the system ran out of memory";
            case "SIGSEGV", "SIGBUS", "SIGILL" -> ": a crash in its native code";
            case "SIGTERM", "SIGINT", "SIGHUP" -> ": sent by another program or a user";
            case null, default -> "";
        };
    }

    /// The finding with the evidence of the failure.
    private Finding shown(Finding finding, CallFailure failure) {
        List<String> lines = new ArrayList<>();
        Evidence evidence = failure.evidence();
        if (evidence.httpStatus() != null) {
            lines.add("HTTP status " + evidence.httpStatus());
        }
        if (failure.retryAfter() != null && evidence.httpStatus() != null) {
            lines.add("retry after " + failure.retryAfter().toSeconds() + " s");
        }
        return spec == null ? finding.shownBy(lines) : withStderr(finding, errors(failure), lines);
    }

    /// @param before lines of evidence that come first
    private static Finding withStderr(Finding finding, List<String> stderr, List<String> before) {
        if (stderr.isEmpty()) {
            before.add("no stderr captured");
            return finding.shownBy(before);
        }
        // The decisive line may be followed by many stack frames.
        int last = Math.max(0, stderr.size() - MAX_LINES);
        int reason = CrashReason.at(stderr);
        int from = reason < 0 ? last : Math.min(reason, last);
        int decisive = reason < 0 ? -1 : before.size() + reason - from;
        stderr.subList(from, Math.min(stderr.size(), from + MAX_LINES)).forEach(line -> before.add("stderr: " + line));
        return finding.shownBy(before, decisive);
    }

    /// The failure's own tail is complete; the captured output may be longer.
    private List<String> errors(CallFailure failure) {
        List<String> tail = failure.evidence().stderrTail();
        List<String> heard = server.capturedStderr().errors();
        return heard.size() > tail.size() ? heard : tail;
    }
}
