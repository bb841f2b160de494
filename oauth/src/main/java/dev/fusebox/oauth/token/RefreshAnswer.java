package dev.fusebox.oauth.token;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The result of a refresh request. Immutable.
public sealed interface RefreshAnswer {
    /// New tokens.
    record Renewed(Tokens tokens) implements RefreshAnswer {}

    /// The refresh token is not valid any more (`invalid_grant`).
    record InvalidGrant() implements RefreshAnswer {}

    /// Anything else.
    ///
    /// @param retryAfter the pause that the server asked for; null if it did not
    record Failed(RefreshFailure failure, @Nullable Duration retryAfter) implements RefreshAnswer {}
}
