package dev.fusebox.doctor;

import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Promise;
import dev.fusebox.client.SingleFlight;
import dev.fusebox.gateway.observe.UtcTimestamp;
import dev.fusebox.oauth.LoginExamination;
import dev.fusebox.oauth.ServerLogin;
import dev.fusebox.oauth.login.FailedLogin;
import dev.fusebox.oauth.protocol.Discovered;
import dev.fusebox.oauth.protocol.LoginProbe;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import dev.fusebox.oauth.token.TokenResult;
import dev.fusebox.oauth.token.TokenState;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Checks of the login to a remote server: the stored login and the authorization server, both at the same time.
/// For one thread; [#run] blocks until both are done or the time limit is reached.
final class LoginChecks {
    /// Of all checks of one login together.
    static final Duration LIMIT = Duration.ofSeconds(10);

    private static final String THREAD = "fusebox-doctor-login";
    /// Failures that only a real login can find.
    private static final Set<ErrorId> OF_LOGINS = EnumSet.of(
            ErrorId.REGISTRATION_REFUSED, ErrorId.REDIRECT_REFUSED, ErrorId.AUDIENCE_WRONG, ErrorId.SCOPE_MISSING);

    private final Platform platform;
    private final DiagnosedServer.Credentials.OfLogin login;
    private final LoginExamination examination;
    private final LoginFindings loginFindings;
    private final Duration limit;

    LoginChecks(Platform platform, DiagnosedServer server, DiagnosedServer.Credentials.OfLogin login, Duration limit) {
        this.platform = platform;
        this.login = login;
        this.examination = login.examination();
        this.loginFindings = new LoginFindings(server, examination.settings().grant());
        this.limit = limit;
    }

    // ---- Stored login

    /// The stored login, without any request.
    Finding stored() {
        TokenRecord stored = examination.stored();
        if (stored == null) {
            return Finding.ok(Check.AUTH, "not logged in");
        }
        boolean isOver = !examination.isUsable(stored) && !stored.isRenewable();
        return isOver ? loginFindings.over(Severity.FAIL, stored) : loginFindings.state(stored);
    }

    private Finding renewed(TokenRecord stored) {
        if (examination.isUsable(stored)) {
            return loginFindings.state(stored);
        }
        LoginExamination.Renewal renewal = examination.renewed(stored, limit);
        TokenRecord newest = renewal.tokenRecord();
        return switch (renewal.result()) {
            case TokenResult.Usable _ ->
                Finding.ok(
                        Check.AUTH,
                        LoginFindings.text(newest)
                                + (newest.version().equals(stored.version())
                                        ? ""
                                        : "; the access token was refreshed just now"));
            case TokenResult.Unavailable(String message, Duration _) ->
                loginFindings.fail(
                        ErrorId.ISSUER_DOWN,
                        "the access token has expired and cannot be refreshed now: " + message + "; the login is kept");
            case TokenResult.StoreUnusable(boolean isKeyring, String message, Duration _) ->
                loginFindings.fail(
                        isKeyring ? ErrorId.KEYRING_LOCKED : ErrorId.TOKEN_FILE_UNSAFE,
                        "the access token has expired and cannot be refreshed now: " + message + "; the login is kept");
            case TokenResult.LoginRequired _ -> loginFindings.over(Severity.FAIL, newest);
        };
    }

    // ---- Authorization server

    /// What was found without a token. Immutable.
    ///
    /// @param demandsLogin whether the server demands a login
    /// @param discovered null if a login is not possible
    /// @param problems why a new login is not possible
    /// @param clocks how far the clock of each server is ahead
    private record Seen(
            boolean demandsLogin,
            @Nullable Discovered discovered,
            List<OAuthException> problems,
            Map<String, Duration> clocks) {
        boolean supportsOfflineAccess() {
            return discovered != null && discovered.issuer().supports("offline_access");
        }
    }

    /// One question to the examination.
    private interface Question {
        void ask() throws OAuthException;
    }

    private Seen seen(boolean isLoggedIn) {
        List<OAuthException> problems = new ArrayList<>();
        Map<String, Duration> clocks = new TreeMap<>();
        LoginProbe.ProbeAnswer answer = examination.server();
        boolean demandsLogin = answer != null && answer.demandsLogin();
        if (answer == null || (!isLoggedIn && !demandsLogin)) {
            return new Seen(demandsLogin, null, problems, clocks);
        }
        note(clocks, "the server", answer.clockOffset());
        Discovered discovered = null;
        try {
            Discovered found = examination.discovered(answer.challenge());
            discovered = found;
            ask(problems, () -> examination.requireReadable(found));
            ask(problems, () -> examination.requireClient(found));
            note(clocks, found.issuer().issuer(), examination.clockOffset(found.issuer()));
        } catch (OAuthException impossible) {
            problems.add(impossible);
        }
        return new Seen(demandsLogin, discovered, problems, clocks);
    }

    private static void ask(List<OAuthException> problems, Question question) {
        try {
            question.ask();
        } catch (OAuthException problem) {
            problems.add(problem);
        }
    }

    private static void note(Map<String, Duration> clocks, String name, @Nullable Duration offset) {
        if (offset != null) {
            clocks.put(name, offset);
        }
    }

    // ---- Findings

    /// The findings about the login; one of them is a failure if it cannot be used.
    List<Finding> run() {
        try {
            TokenRecord stored = examination.stored();
            Finding broken = loginFindings.broken();
            Promise<Finding> state = stored == null
                    ? done(Finding.ok(Check.AUTH, "not logged in"))
                    : new SingleFlight<>(THREAD, broken).join(() -> renewed(stored));
            Seen nothing = new Seen(false, null, List.of(), Map.of());
            Promise<Seen> seen = new SingleFlight<>(THREAD, nothing).join(() -> seen(stored != null));
            long end = platform.ticker().nanos() + limit.toNanos();
            Finding stateInTime = state.await(platform, left(end));
            Seen seenInTime = seen.await(platform, left(end));
            List<Finding> findings = new ArrayList<>();
            findings.add(stateInTime == null ? loginFindings.late(limit) : stateInTime);
            if (seenInTime == null) {
                findings.add(loginFindings.late(limit));
            } else if (stored == null) {
                return once(notLoggedIn(seenInTime));
            } else {
                findings.addAll(loggedIn(stored, findings.getFirst(), seenInTime));
            }
            return once(findings);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private static Promise<Finding> done(Finding finding) {
        Promise<Finding> promise = new Promise<>();
        boolean _ = promise.complete(finding);
        return promise;
    }

    private Duration left(long end) {
        return Duration.ofNanos(Math.max(0, end - platform.ticker().nanos()));
    }

    /// Two checks may find the same.
    private static List<Finding> once(List<Finding> findings) {
        Set<ErrorId> known = new HashSet<>();
        return findings.stream()
                .filter(finding -> finding.errorId() == null || known.add(finding.errorId()))
                .toList();
    }

    private List<Finding> notLoggedIn(Seen seen) {
        List<Finding> findings = new ArrayList<>();
        seen.problems().forEach(problem -> findings.add(loginFindings.of(Severity.FAIL, problem)));
        if (!seen.demandsLogin()) {
            findings.add(Finding.ok(Check.AUTH, "not logged in; the server did not ask for a login"));
        } else if (findings.isEmpty()) {
            findings.add(
                    examination.settings().grant() == GrantType.CLIENT_CREDENTIALS
                            ? Finding.ok(Check.AUTH, "not logged in; client credentials are used on demand")
                            : required());
        }
        findings.addAll(loginFindings.clock(seen.clocks()));
        return findings;
    }

    /// A login seems possible, unless the last one has shown that it is not.
    private Finding required() {
        FailedLogin last = examination.lastFailure();
        String when =
                last == null ? "" : "the last login, at " + UtcTimestamp.of(last.at()) + ", failed: " + last.message();
        if (last != null && OF_LOGINS.contains(last.id())) {
            return loginFindings.fail(last.id(), "the server demands a login, and " + when);
        }
        Finding required = loginFindings.fail(ErrorId.LOGIN_REQUIRED, "the server demands a login, and there is none");
        return last == null ? required : required.shownBy(List.of(when));
    }

    /// @param state of the stored login
    private List<Finding> loggedIn(TokenRecord stored, Finding state, Seen seen) {
        Severity severity = state.severity() == Severity.FAIL ? Severity.FAIL : Severity.WARN;
        List<Finding> findings = new ArrayList<>();
        seen.problems().forEach(problem -> findings.add(loginFindings.of(severity, problem)));
        Discovered discovered = seen.discovered();
        if (discovered != null && !discovered.names(stored.key().issuer())) {
            findings.add(loginFindings.issuerChanged(severity, stored, discovered));
        }
        if (seen.supportsOfflineAccess() && !stored.isRenewable() && severity == Severity.WARN) {
            findings.add(loginFindings.offlineAccessMissing());
        }
        findings.addAll(loginFindings.clock(seen.clocks()));
        return findings;
    }

    /// The findings of tools that need more scopes than the login has, as the running gateway has seen.
    List<Finding> missing(Map<String, Set<String>> scopesByTool) {
        TokenRecord stored = scopesByTool.isEmpty() ? null : examination.stored();
        return new TreeMap<>(scopesByTool)
                .entrySet().stream()
                        .map(missing -> loginFindings.scopeMissing(missing.getKey(), missing.getValue(), stored))
                        .toList();
    }

    /// A more specific finding about a server that has rejected the login, if the connection has shown the cause.
    Finding explained(Finding general) {
        ServerLogin used = login.used().get().orElse(null);
        TokenRecord stored = used == null ? null : used.tokenRecord();
        OAuthException failure = used == null ? null : used.obtainFailure();
        if (failure != null) {
            return loginFindings.of(Severity.FAIL, failure).shownBy(general.evidence());
        }
        if (used != null && stored != null && used.isNewTokenRejected()) {
            return loginFindings.audienceWrong(stored);
        }
        boolean isOver = stored != null && (stored.state() instanceof TokenState.Rejected || !stored.isRenewable());
        return stored != null && isOver
                ? loginFindings.over(Severity.FAIL, stored).shownBy(general.evidence())
                : general;
    }
}
