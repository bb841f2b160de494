package dev.fusebox.gateway.doctor;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.process.CrashReason;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import dev.fusebox.gateway.errors.ErrorClassifier;
import dev.fusebox.gateway.errors.ErrorId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns the failure of a server into a finding: what it means, what shows it, what mends it. Thread-safe.
final class FailureDiagnosis {
    private static final int MOST_LINES = 20;

    private final DiagnosedServer server;
    private final String command;
    private final ServerEndpoint.@Nullable Stdio spec;
    private final Remedies remedies;

    /// @param command the file that is started; empty if the server is no process
    FailureDiagnosis(DiagnosedServer server, String command) {
        this.server = server;
        this.command = command;
        this.spec = server.server().state() instanceof ServerState.Ready(ServerEndpoint.Stdio process) ? process : null;
        this.remedies = new Remedies(server, command);
    }

    /// @param usual what it is if the failure only says that time is over
    /// @param doing what was being done, as what follows "before it answered"
    Finding of(Check usual, CallFailure failure, String doing) {
        ErrorId errorId = ErrorClassifier.of(failure);
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
        return shown(Finding.fail(check, errorId, cause(errorId, failure, doing)), failure)
                .mendedBy(remedies.of(errorId, failure));
    }

    /// Null if why it exited is not known.
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
                .mendedBy(known.of(cause));
    }

    /// A server that answers, and not as it should.
    Finding refused(String cause) {
        return Finding.fail(Check.HANDSHAKE, ErrorId.HANDSHAKE_REFUSED, cause)
                .mendedBy(server.place("era") + ": update the server, or set \"era\" to what it speaks");
    }

    /// Where it belongs: a server that died did so where it was started, whatever it was asked.
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
            case HTTP_401, HTTP_403 -> Check.AUTH;
            default -> usual;
        };
    }

    private String cause(ErrorId errorId, CallFailure failure, String doing) {
        Evidence evidence = failure.evidence();
        return switch (errorId) {
            case SERVER_EXITED ->
                "exited with code " + evidence.exitCode() + " before it answered " + doing
                        + meaning(evidence.exitCode()) + reason(errors(failure));
            case SERVER_KILLED ->
                "was ended by " + evidence.signal() + " before it answered " + doing + meaning(evidence.signal());
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

    /// What shells and systems mean by a code (POSIX, "Exit Status for Commands").
    private static String meaning(@Nullable Integer code) {
        return switch (code) {
            case 0 -> ": it did its work and ended, as a program that is no server does";
            case 2 -> ": usually because its arguments are wrong";
            case 126 -> ": what it was to run cannot be executed";
            case 127 -> ": what it was to run was not found";
            case 137 -> ": something below it was ended by SIGKILL, mostly because memory was short";
            case 139 -> ": something below it was ended by SIGSEGV";
            case 143 -> ": something below it was ended by SIGTERM";
            case null, default -> "";
        };
    }

    private static String meaning(@Nullable String signal) {
        return switch (signal) {
            case "SIGKILL" -> ": mostly the system does that when memory is short";
            case "SIGSEGV", "SIGBUS", "SIGILL" -> ": a fault of its own native code";
            case "SIGTERM", "SIGINT", "SIGHUP" -> ": another program or a user ended it";
            case null, default -> "";
        };
    }

    /// The finding with what was seen of the failure.
    private Finding shown(Finding finding, CallFailure failure) {
        List<String> lines = new ArrayList<>();
        Evidence evidence = failure.evidence();
        if (evidence.httpStatus() != null) {
            lines.add("HTTP status " + evidence.httpStatus());
        }
        if (failure.retryAfter() != null && evidence.httpStatus() != null) {
            lines.add("it asks to be left alone for " + failure.retryAfter().toSeconds() + " s");
        }
        return spec == null ? finding.shownBy(lines) : withStderr(finding, errors(failure), lines);
    }

    /// @param before lines of evidence that come first
    private static Finding withStderr(Finding finding, List<String> stderr, List<String> before) {
        if (stderr.isEmpty()) {
            before.add("no stderr captured");
            return finding.shownBy(before);
        }
        // The line that says why may stand above many frames of a stack.
        int last = Math.max(0, stderr.size() - MOST_LINES);
        int reason = CrashReason.at(stderr);
        int from = reason < 0 ? last : Math.min(reason, last);
        int decisive = reason < 0 ? -1 : before.size() + reason - from;
        stderr.subList(from, Math.min(stderr.size(), from + MOST_LINES)).forEach(line -> before.add("stderr: " + line));
        return finding.shownBy(before, decisive);
    }

    /// Its own tail is sure to be whole; what was overheard may be longer.
    private List<String> errors(CallFailure failure) {
        List<String> tail = failure.evidence().stderrTail();
        List<String> heard = server.capturedStderr().errors();
        return heard.size() > tail.size() ? heard : tail;
    }
}
