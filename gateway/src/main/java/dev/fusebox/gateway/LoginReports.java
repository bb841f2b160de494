package dev.fusebox.gateway;

import dev.fusebox.gateway.admin.LoginReport;
import dev.fusebox.oauth.ServerLogin;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import dev.fusebox.oauth.token.TokenState;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Reports of logins. Pure functions; thread-safe. Separate from [ServerLogins], so that gateways without logins load
/// nothing of module `oauth` for their status.
final class LoginReports {
    private LoginReports() {}

    /// Empty if the server has no login, and has not asked for one.
    static Optional<LoginReport> of(ServerLogin login, Instant now) {
        TokenRecord stored = login.tokenRecord();
        if (stored == null) {
            return login.isRequired() ? Optional.of(LoginReport.NONE) : Optional.empty();
        }
        LoginReport.TokenReport tokens = new LoginReport.TokenReport(
                stored.grant().subject(),
                new TreeSet<>(stored.tokens().scopes()),
                stored.tokens().expiresAt(),
                renewal(stored));
        return Optional.of(new LoginReport(isUsable(stored, now), tokens, failure(stored), login.missingScopes()));
    }

    private static boolean isUsable(TokenRecord stored, Instant now) {
        Instant expiresAt = stored.tokens().expiresAt();
        boolean isValid = expiresAt == null || now.isBefore(expiresAt);
        return isValid || (isRenewable(stored) && !(stored.state() instanceof TokenState.Rejected));
    }

    private static boolean isRenewable(TokenRecord stored) {
        return stored.grant().type() == GrantType.CLIENT_CREDENTIALS
                || stored.tokens().refresh() != null;
    }

    private static String renewal(TokenRecord stored) {
        return switch (stored.grant().type()) {
            case CLIENT_CREDENTIALS -> "client credentials";
            case LOGIN -> isRenewable(stored) ? "refresh token" : "a new login";
        };
    }

    private static @Nullable String failure(TokenRecord stored) {
        return switch (stored.state()) {
            case TokenState.Ready _, TokenState.Refreshing _ -> null;
            case TokenState.Waiting waiting -> waiting.failure().message();
            case TokenState.Rejected rejected -> rejected.reason();
        };
    }
}
