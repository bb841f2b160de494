package dev.fusebox.oauth.token;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The tokens of one answer of an authorization server. Immutable. Its text form contains no token.
///
/// @param access empty in a record that was listed without its secrets
/// @param refresh null if the server issued none; empty in a record that was listed without its secrets
/// @param issuedAt by the wall clock, like all times of tokens, since they are compared between processes
/// @param expiresAt null if the server did not say
/// @param scopes granted scopes; empty if unknown
public record Tokens(
        String access,
        @Nullable String refresh,
        Instant issuedAt,
        @Nullable Instant expiresAt,
        Set<String> scopes) {
    /// A request that is sent just before the expiry may arrive after it.
    private static final Duration LONGEST_MARGIN = Duration.ofSeconds(10);

    public Tokens {
        scopes = Set.copyOf(scopes);
    }

    /// Whether the tokens themselves have to be read from their store.
    boolean isWithheld() {
        return access.isEmpty();
    }

    /// What may be shown of these tokens.
    Tokens withheld() {
        return new Tokens("", refresh == null ? null : "", issuedAt, expiresAt, scopes);
    }

    /// Whether there is a token, and a request that is sent now arrives before its expiry.
    boolean isUsable(Instant now) {
        return !isWithheld() && isBeforeExpiry(now);
    }

    /// Whether a request that is sent now arrives before the expiry.
    boolean isBeforeExpiry(Instant now) {
        return expiresAt == null || now.isBefore(expiresAt.minus(margin()));
    }

    /// A twentieth of the lifetime, ten seconds at most.
    private Duration margin() {
        // Duration.dividedBy would calculate with decimals, for each call.
        Duration share = Duration.ofNanos(lifetime().toNanos() / 20);
        return share.compareTo(LONGEST_MARGIN) < 0 ? share : LONGEST_MARGIN;
    }

    /// When to refresh a token that is in use: at 80 % of its lifetime, or up to 5 % earlier. Null if it does not
    /// expire.
    ///
    /// @param chance from 0 to 1
    @Nullable
    Instant refreshAt(double chance) {
        return expiresAt == null ? null : issuedAt.plusNanos((long) (lifetime().toNanos() * (0.8 - 0.05 * chance)));
    }

    private Duration lifetime() {
        Duration lifetime = expiresAt == null ? Duration.ZERO : Duration.between(issuedAt, expiresAt);
        return lifetime.isNegative() ? Duration.ZERO : lifetime;
    }

    /// These tokens with the refresh token of the former ones if the server issued no new one (RFC 6749, 6).
    Tokens after(Tokens former) {
        return refresh == null && former.refresh != null
                ? new Tokens(access, former.refresh, issuedAt, expiresAt, scopes.isEmpty() ? former.scopes : scopes)
                : scopes.isEmpty() ? new Tokens(access, refresh, issuedAt, expiresAt, former.scopes) : this;
    }

    @Override
    public String toString() {
        return "Tokens[expiresAt=" + Objects.toString(expiresAt, "unknown") + ", scopes=" + scopes
                + (refresh == null ? ", no refresh token]" : "]");
    }
}
