package dev.fusebox.oauth.token;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The result of a refresh request. Immutable.
public sealed interface RefreshAnswer {
    /// New tokens.
    record Renewed(Tokens tokens) implements RefreshAnswer {}

    /// The refresh token is no longer valid (`invalid_grant`).
    record InvalidGrant() implements RefreshAnswer {}

    /// The authorization server does not know the client that the refresh token is bound to (RFC 6749, 6), and the
    /// client cannot be corrected in the configuration.
    ///
    /// @param message for people, without secrets
    record ClientUnknown(String message) implements RefreshAnswer {}

    /// The client that the refresh token is bound to is not stored here, so no request was sent.
    ///
    /// @param message for people, without secrets
    record ClientMissing(String message) implements RefreshAnswer {}

    /// Anything else.
    ///
    /// @param retryAfter the pause that the server asked for; null if it did not
    record Failed(RefreshFailure failure, @Nullable Duration retryAfter) implements RefreshAnswer {}
}
