package dev.fusebox.config;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The stored secrets that one file refers to. Each is read once, when it is first needed, and after a failure of
/// the store it is not asked again: a keyring that is locked takes ten seconds to fail. Not thread-safe; blocks on
/// the store.
final class FileSecrets {
    /// The names that `secret set` accepts.
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private final SecretLookup secretLookup;
    private final CredentialsConfig credentials;
    private final Map<String, Optional<String>> found = new HashMap<>();
    private @Nullable IOException failure;

    FileSecrets(SecretLookup secretLookup, CredentialsConfig credentials) {
        this.secretLookup = secretLookup;
        this.credentials = credentials;
    }

    /// Whether a program gives them, that of the system's keyring or one of the operator, and not a file.
    boolean isKeyring() {
        return credentials.store() != CredentialStore.FILE;
    }

    /// Null if there is none of this name.
    @Nullable
    String value(String name) throws IOException {
        Optional<String> known = found.get(name);
        if (known != null) {
            return known.orElse(null);
        }
        if (failure != null) {
            throw failure;
        }
        try {
            String value = secretLookup.secret(credentials, name);
            found.put(name, Optional.ofNullable(value));
            return value;
        } catch (IOException unusable) {
            failure = unusable;
            throw unusable;
        }
    }
}
