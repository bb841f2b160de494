package dev.fusebox.oauth.token;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The answer to a caller that needs an access token. Immutable. Its text form contains no token.
public sealed interface TokenResult {
    /// A token to send.
    ///
    /// @param version of the tokens, to be given back if the server rejects it
    record Usable(String access, TokenRecord.Version version) implements TokenResult {
        @Override
        public String toString() {
            return "Usable[" + version + "]";
        }
    }

    /// There is no token to send.
    sealed interface NoToken extends TokenResult {}

    /// There is no token now, and the login is kept.
    ///
    /// @param retryAfter null if it is unknown when to try again
    record Unavailable(String message, @Nullable Duration retryAfter) implements NoToken {}

    /// The storage cannot be used now, and the login is kept.
    ///
    /// @param isKeyring whether it is the keyring, or the program in its place
    /// @param retryAfter null if it is unknown when to try again
    record StoreUnusable(
            boolean isKeyring, String message, @Nullable Duration retryAfter) implements NoToken {}

    /// Only a login helps.
    record LoginRequired(String reason) implements NoToken {}
}
