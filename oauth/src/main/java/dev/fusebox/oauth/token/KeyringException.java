package dev.fusebox.oauth.token;

import java.io.IOException;

/// Failure of the program that stores the tokens: the keyring is locked, or the program failed or did not end in
/// time. It says nothing about the tokens. Its message has the reason, and no secret.
public final class KeyringException extends IOException {
    private static final long serialVersionUID = 1;

    KeyringException(IOException failure) {
        super(failure.getMessage(), failure);
    }
}
