package dev.fusebox.gateway;

import dev.fusebox.gateway.admin.LoginReport;
import dev.fusebox.oauth.ServerLogin;
import dev.fusebox.oauth.token.TokenRecord;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeSet;

/// Reports of logins. Pure functions; thread-safe. Separate from [ServerLogins], so that gateways without logins
/// load nothing of module `oauth` for their status.
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
                stored.renewal());
        return Optional.of(
                new LoginReport(stored.isLoggedIn(now), tokens, stored.lastFailure(), login.missingScopes()));
    }
}
