package dev.fusebox.oauth.protocol;

import dev.fusebox.protocol.HeaderValueEncoding;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the Bearer challenges of a 401 or 403 response say (RFC 6750, 3; RFC 9728, 5.1). Immutable; nothing blocks.
///
/// @param resourceMetadata URL of the resource metadata, unchecked; null if there is none
/// @param scopes that the request needs; empty if there are none
/// @param error error code; null if there is none
public record AuthChallenge(
        @Nullable String resourceMetadata,
        Set<String> scopes,
        @Nullable String error) {
    /// The error code of a token without a scope that the request needs.
    public static final String INSUFFICIENT_SCOPE = "insufficient_scope";

    private static final int MAX_ERROR = 64;

    public AuthChallenge {
        scopes = Set.copyOf(scopes);
    }

    /// The Bearer challenge of a response; null if there is none. Several are read as one, and the first value under
    /// a name counts.
    ///
    /// @param values of all header fields `WWW-Authenticate`
    public static @Nullable AuthChallenge of(List<String> values) {
        List<ChallengeParser.Challenge> bearers = ChallengeParser.parse(values).stream()
                .filter(challenge -> challenge.scheme().equalsIgnoreCase("bearer"))
                .toList();
        if (bearers.isEmpty()) {
            return null;
        }
        String scope = first(bearers, "scope");
        String error = first(bearers, "error");
        boolean isCode = error != null && error.length() <= MAX_ERROR && HeaderValueEncoding.isToken(error);
        return new AuthChallenge(
                first(bearers, "resource_metadata"), Scopes.parse(scope == null ? "" : scope), isCode ? error : null);
    }

    private static @Nullable String first(List<ChallengeParser.Challenge> bearers, String name) {
        for (ChallengeParser.Challenge bearer : bearers) {
            String value = bearer.parameters().get(name);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /// Whether the token lacks a scope.
    public boolean isScopeMissing() {
        return INSUFFICIENT_SCOPE.equals(error);
    }
}
