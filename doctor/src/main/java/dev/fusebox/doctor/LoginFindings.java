package dev.fusebox.doctor;

import dev.fusebox.client.ErrorId;
import dev.fusebox.gateway.observe.UtcTimestamp;
import dev.fusebox.oauth.protocol.Discovered;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import dev.fusebox.oauth.token.TokenState;
import dev.fusebox.platform.FuseboxCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Findings about the login to one server, with their remedies. They contain no token. Thread-safe; pure functions
/// of the server.
final class LoginFindings {
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

    private final DiagnosedServer server;
    private final GrantType grant;

    LoginFindings(DiagnosedServer server, GrantType grant) {
        this.server = server;
        this.grant = grant;
    }

    Finding fail(ErrorId errorId, String cause) {
        return of(Severity.FAIL, errorId, cause);
    }

    Finding of(Severity severity, OAuthException problem) {
        return of(severity, problem.id(), problem.message());
    }

    private Finding of(Severity severity, ErrorId errorId, String cause) {
        return new Finding(Check.AUTH, errorId, severity, cause, List.of(), -1, remedy(errorId));
    }

    /// A bug in one check does not end the others.
    Finding broken() {
        return fail(ErrorId.INTERNAL, "the check of the stored login failed (internal error)");
    }

    /// A check was not finished in time; usually it waits for an authorization server.
    Finding late(Duration limit) {
        return fail(ErrorId.ISSUER_DOWN, "the check of the login did not finish within " + limit.toMillis() + " ms");
    }

    // ---- Stored login

    /// Who is logged in, and until when.
    static String text(TokenRecord stored) {
        String subject = stored.grant().subject();
        Set<String> scopes = new TreeSet<>(stored.tokens().scopes());
        Instant expiresAt = stored.tokens().expiresAt();
        return "logged in" + (subject == null ? "" : " as " + subject)
                + (scopes.isEmpty() ? "" : ", scopes " + String.join(" ", scopes))
                + (expiresAt == null ? "" : ", access token until " + UtcTimestamp.of(expiresAt))
                + ", renewed by " + stored.renewal();
    }

    /// The state of a login that is not over.
    Finding state(TokenRecord stored) {
        return switch (stored.state()) {
            case TokenState.Ready _, TokenState.Refreshing _ -> Finding.ok(Check.AUTH, text(stored));
            case TokenState.Waiting waiting ->
                of(
                        Severity.WARN,
                        ErrorId.ISSUER_DOWN,
                        text(stored) + "; the last refresh failed: "
                                + waiting.failure().message());
            case TokenState.Rejected _ -> over(Severity.WARN, stored);
        };
    }

    /// The login can be renewed by a new login only.
    ///
    /// @param severity a warning as long as its access token is valid
    Finding over(Severity severity, TokenRecord stored) {
        boolean isRefused = stored.isRenewable() || stored.state() instanceof TokenState.Rejected;
        if (!isRefused) {
            return of(
                    severity,
                    ErrorId.LOGIN_EXPIRED,
                    "the access token has expired or was revoked, and the authorization server issued no refresh"
                            + " token");
        }
        Instant expiresAt = stored.tokens().expiresAt();
        String rest = severity == Severity.FAIL || expiresAt == null
                ? ""
                : "; the access token is valid until " + UtcTimestamp.of(expiresAt);
        String reason = stored.lastFailure();
        return of(
                severity,
                ErrorId.REFRESH_REFUSED,
                "the login cannot be refreshed" + (reason == null ? "" : ": " + reason) + rest);
    }

    Finding offlineAccessMissing() {
        return of(
                Severity.WARN,
                ErrorId.OFFLINE_ACCESS_MISSING,
                "the login has no refresh token, although the authorization server supports offline_access; it ends"
                        + " with its access token");
    }

    Finding issuerChanged(Severity severity, TokenRecord stored, Discovered discovered) {
        String cause = "the login was made at " + stored.key().issuer() + ", and the server now names "
                + discovered.issuer().issuer();
        return of(severity, ErrorId.ISSUER_CHANGED, cause);
    }

    Finding audienceWrong(TokenRecord stored) {
        String cause = "the server rejects an access token that was just issued, so it expects another audience, issuer"
                + " or account";
        return fail(ErrorId.AUDIENCE_WRONG, cause)
                .shownBy(List.of(
                        "issued by " + stored.key().issuer(),
                        "issued for the resource " + stored.key().resource()));
    }

    /// @param stored null if there is no login
    Finding scopeMissing(String tool, Set<String> missing, @Nullable TokenRecord stored) {
        Set<String> requested = stored == null ? Set.of() : stored.grant().requested();
        Finding finding = of(
                Severity.WARN,
                ErrorId.SCOPE_MISSING,
                tool + " needs the scope " + String.join(" ", new TreeSet<>(missing)));
        if (requested.containsAll(missing)) {
            return finding.withRemedy(
                    "ask the operator to give the account that permission: it was requested, and was not granted");
        }
        Set<String> all = new TreeSet<>(missing);
        all.addAll(requested);
        return finding.withRemedy("`" + FuseboxCommand.onFile("login", id(), "--scope", String.join(" ", all))
                + "` asks for it, beside the scopes of the former login");
    }

    // ---- Clock

    /// @param clocks how far the clock of each server is ahead of that of this machine
    List<Finding> clock(Map<String, Duration> clocks) {
        List<String> lines = new ArrayList<>();
        clocks.forEach((name, offset) -> {
            if (offset.abs().compareTo(CLOCK_TOLERANCE) > 0) {
                lines.add("the clock of " + name + " is " + offset.abs().toSeconds() + " s "
                        + (offset.isNegative() ? "behind" : "ahead of") + " that of this machine");
            }
        });
        return lines.isEmpty()
                ? List.of()
                : List.of(of(Severity.WARN, ErrorId.CLOCK_OFF, lines.getFirst()).shownBy(lines));
    }

    // ---- Remedies

    private String remedy(ErrorId errorId) {
        return switch (errorId) {
            case LOGIN_REQUIRED, LOGIN_EXPIRED, REFRESH_REFUSED -> login("logs in");
            case ISSUER_CHANGED ->
                "ask the operator of the server whether it has moved; then " + login("logs in there")
                        + ", with \"issuer\" changed if " + place("oauth") + " names one";
            case OFFLINE_ACCESS_MISSING -> login("asks for a refresh token", "--scope", "offline_access");
            case TOKEN_FILE_UNSAFE ->
                "do what the message says; if the file had to be deleted, " + login("logs in again");
            case CLOCK_OFF -> "`sudo timedatectl set-ntp true` synchronizes the clock; `date` shows it";
            case ISSUER_DOWN ->
                "wait until the authorization server answers again: `" + FuseboxCommand.onFile("doctor", id())
                        + "` shows that";
            case RESOURCE_METADATA_MISSING ->
                place("headers")
                        + ": add \"headers\": {\"Authorization\": \"Bearer ${TOKEN}\"} if the server has tokens of"
                        + " its own; or " + place("oauth") + ": set \"issuer\" to its authorization server";
            case RESOURCE_MISMATCH -> place("url") + ": set \"url\" to the address that the server publishes";
            case PKCE_MISSING ->
                "ask the operator of the authorization server to announce S256; or " + place("headers")
                        + ": add a header with a token";
            case ISSUER_INVALID ->
                place("oauth")
                        + ": set \"issuer\" if the message names a wrong authorization server, or one of your own";
            default -> registration(errorId);
        };
    }

    private String registration(ErrorId errorId) {
        return switch (errorId) {
            case REGISTRATION_MISSING, REGISTRATION_REFUSED ->
                place("oauth")
                        + ": set \"clientId\" to a client that is registered there by hand, and \"clientSecret\" or"
                        + " \"privateKey\" if it has one";
            case REDIRECT_REFUSED ->
                place("oauth") + ": set \"redirectPort\" to a port that it accepts; or "
                        + login("needs no redirect", "--device");
            case AUDIENCE_WRONG ->
                place("oauth", "resource") + ": correct or remove \"resource\", then " + login("logs in again")
                        + "; otherwise report it to the operator of the server";
            case SCOPE_MISSING -> place("oauth", "scopes") + ": correct \"scopes\", then " + login("logs in again");
            default -> login("logs in again");
        };
    }

    private String login(String effect, String... options) {
        if (grant == GrantType.CLIENT_CREDENTIALS) {
            return place("oauth") + ": check \"clientId\", and \"clientSecret\" or \"privateKey\"";
        }
        List<String> words = new ArrayList<>(List.of("login", id()));
        words.addAll(List.of(options));
        return "`" + FuseboxCommand.onFile(words.toArray(String[]::new)) + "` " + effect;
    }

    private String id() {
        return server.server().id();
    }

    private String place(String... keys) {
        return server.place(keys);
    }
}
