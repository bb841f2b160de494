package dev.fusebox.oauth.protocol;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.http.HttpFailure;
import dev.fusebox.oauth.token.KeyringException;
import java.io.IOException;

/// Expected failure of a login: an error id, and a message that says what was tried, what was found and what to do.
/// It contains no secret and no free text of a server, and has no stack trace. Immutable; nothing blocks.
public final class OAuthException extends Exception {
    private static final long serialVersionUID = 1;

    private final ErrorId id;

    public OAuthException(ErrorId id, String message) {
        super(message, null, false, false);
        this.id = id;
    }

    /// There is no usable answer of an authorization server.
    static OAuthException unanswered(String issuer, HttpFailure httpFailure) {
        CallFailure failure = httpFailure.failure();
        String found = "no usable answer from the authorization server " + issuer + ": " + failure.message();
        return switch (failure.category()) {
            case POLICY ->
                new OAuthException(ErrorId.ISSUER_INVALID, found + "; if you trust this address, set oauth.issuer");
            case PROTOCOL, OTHER -> new OAuthException(ErrorId.ISSUER_INVALID, found);
            case AUTH, OFFLINE, HTTP, STDIO_EXIT, LOCAL, CANCELLED ->
                new OAuthException(ErrorId.ISSUER_DOWN, found + "; try again later");
        };
    }

    /// The stored logins cannot be used.
    ///
    /// @param what was tried, with a colon and a blank at its end
    public static OAuthException ofStore(String what, IOException why) {
        return why instanceof KeyringException
                ? new OAuthException(
                        ErrorId.KEYRING_LOCKED,
                        what + why.getMessage() + "; unlock the keyring, or fix the program in credentials.command")
                : new OAuthException(ErrorId.TOKEN_FILE_UNSAFE, what + why.getMessage());
    }

    public ErrorId id() {
        return id;
    }

    /// What was tried, what was found, what to do.
    public String message() {
        return String.valueOf(getMessage());
    }
}
