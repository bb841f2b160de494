package dev.fusebox.oauth.token;

import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One login: its tokens, the state of their refresh, and a generation that grows with every refresh.
/// Immutable. The transitions are in [TokenRules].
public record TokenRecord(TokenKey key, long generation, Grant grant, Tokens tokens, TokenState state) {
    /// How tokens are obtained.
    public enum GrantType {
        /// A person logged in, in a browser or on another device.
        LOGIN,
        /// The client credentials are enough.
        CLIENT_CREDENTIALS
    }

    /// The login that the tokens come from. Immutable.
    ///
    /// @param at when the login was made
    /// @param serverUrls the addresses of the MCP servers that it was made for; several if they share a resource
    /// @param client that the tokens were issued to
    /// @param requested the scopes that were requested for these tokens
    /// @param subject the person or account, if the authorization server said; for display only
    public record Grant(
            GrantType type,
            Instant at,
            Set<String> serverUrls,
            TokenClient client,
            Set<String> requested,
            @Nullable String subject) {
        public Grant {
            serverUrls = Set.copyOf(serverUrls);
            requested = Set.copyOf(requested);
        }

        /// Whether it was made for other servers, too.
        public boolean isShared(String serverUrl) {
            return serverUrls.stream().anyMatch(other -> !other.equals(serverUrl));
        }

        /// The same without one of the servers.
        public Grant without(String serverUrl) {
            Set<String> others = serverUrls.stream()
                    .filter(other -> !other.equals(serverUrl))
                    .collect(Collectors.toUnmodifiableSet());
            return new Grant(type, at, others, client, requested, subject);
        }
    }

    /// The client that tokens were issued to. Immutable.
    ///
    /// @param isConfigured whether it is `oauth.clientId` of the configuration
    public record TokenClient(String id, boolean isConfigured) {}

    /// Whether a new access token can be obtained without a person, as far as is known.
    public boolean isRenewable() {
        return grant.type() == GrantType.CLIENT_CREDENTIALS || tokens.refresh() != null;
    }

    /// Whether a request that is sent now with the access token arrives before its expiry.
    public boolean isBeforeExpiry(Instant now) {
        return tokens.isBeforeExpiry(now);
    }

    /// How a new access token is obtained: `client credentials`, `refresh token` or `a new login`.
    public String renewal() {
        return switch (grant.type()) {
            case CLIENT_CREDENTIALS -> "client credentials";
            case LOGIN -> isRenewable() ? "refresh token" : "a new login";
        };
    }

    /// Why the last refresh failed; null if it did not.
    public @Nullable String lastFailure() {
        return switch (state) {
            case TokenState.Ready _, TokenState.Refreshing _ -> null;
            case TokenState.Waiting waiting -> waiting.failure().message();
            case TokenState.Rejected rejected -> rejected.reason();
        };
    }

    /// The same login without its tokens.
    TokenRecord withheld() {
        return new TokenRecord(key, generation, grant, tokens.withheld(), state);
    }

    TokenRecord in(TokenState next) {
        return new TokenRecord(key, generation, grant, tokens, next);
    }

    /// The same login without one of its servers.
    public TokenRecord without(String serverUrl) {
        return new TokenRecord(key, generation, grant.without(serverUrl), tokens, state);
    }

    /// Whether it comes from the same login as the other one, and an earlier refresh.
    boolean isOlderThan(TokenRecord other) {
        return grant.at().equals(other.grant.at()) && generation < other.generation;
    }

    /// Whether requests can be sent with it without a new login, as far as is known.
    public boolean isLoggedIn(Instant now) {
        Instant expiresAt = tokens.expiresAt();
        boolean isValid = expiresAt == null || now.isBefore(expiresAt);
        return isValid || (isRenewable() && !(state instanceof TokenState.Rejected));
    }

    /// Identifies tokens among all that a key has ever had. Immutable.
    ///
    /// @param login when their login was made
    public record Version(Instant login, long generation) {}

    public Version version() {
        return new Version(grant.at(), generation);
    }
}
