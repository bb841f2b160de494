package dev.fusebox.config;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A lookup of stored secrets, to which `${secret:NAME}` refers. Thread-safe; blocks on the store.
public interface SecretLookup {
    /// A lookup without secrets.
    SecretLookup NONE = (_, _) -> null;

    /// The text of a secret; null if there is none of this name.
    ///
    /// @param credentials the store that the file of the reference selects
    /// @throws IOException if the store cannot be read, with the reason and the remedy
    @Nullable
    String secret(CredentialsConfig credentials, String name) throws IOException;
}
