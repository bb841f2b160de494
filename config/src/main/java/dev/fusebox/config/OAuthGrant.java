package dev.fusebox.config;

/// How a token is obtained (`grant_type` of RFC 6749). Immutable.
public enum OAuthGrant {
    /// A person logs in.
    AUTHORIZATION_CODE,
    /// The gateway itself is the client that has access, without a person.
    CLIENT_CREDENTIALS
}
