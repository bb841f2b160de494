package dev.fusebox.oauth.protocol;

import dev.fusebox.client.ErrorId;
import dev.fusebox.oauth.token.RefreshFailure;
import dev.fusebox.oauth.token.Tokens;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The result of a request to a token endpoint. Immutable. Its text form contains no token.
public sealed interface TokenAnswer {
    /// New tokens.
    ///
    /// @param account name of the person or account, for display only; null if the server did not say
    record Issued(Tokens tokens, @Nullable String account) implements TokenAnswer {}

    /// The server refused with an error code, such as `invalid_grant` or `authorization_pending`.
    ///
    /// @param code one of the known codes, or a text that says that it is unknown
    record Refused(String code) implements TokenAnswer {}

    /// The server said neither yes nor no.
    ///
    /// @param retryAfter the pause that the server asked for; null if it did not
    record Unclear(RefreshFailure failure, @Nullable Duration retryAfter) implements TokenAnswer {}

    /// The tokens.
    ///
    /// @param issuer for the message
    /// @throws OAuthException if there are none
    default Issued issued(String issuer) throws OAuthException {
        return switch (this) {
            case Issued issued -> issued;
            case Refused(String code) -> throw refused(code, issuer);
            case Unclear(RefreshFailure failure, Duration _) ->
                throw new OAuthException(ErrorId.ISSUER_DOWN, failure.message() + "; try again later");
        };
    }

    private static OAuthException refused(String code, String issuer) {
        String found = "the authorization server " + issuer + " refused to issue tokens (" + code + "); ";
        return switch (code) {
            case ErrorCodes.INVALID_CLIENT, "unauthorized_client" ->
                new OAuthException(
                        ErrorId.REGISTRATION_REFUSED,
                        found + "check oauth.clientId, oauth.clientSecret and oauth.privateKey of the server");
            case "access_denied" ->
                new OAuthException(ErrorId.LOGIN_FAILED, "the login was not completed: access was denied");
            case "invalid_target" ->
                new OAuthException(ErrorId.AUDIENCE_WRONG, found + "check oauth.resource of the server");
            case "invalid_scope" ->
                new OAuthException(
                        ErrorId.SCOPE_MISSING,
                        found + "check oauth.scopes of the server, or log out first, which forgets the scopes of former"
                                + " logins");
            default -> new OAuthException(ErrorId.LOGIN_FAILED, found + "try the login again");
        };
    }
}
