package dev.fusebox.gateway;

import dev.fusebox.config.CredentialsConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where the logins of a gateway are stored. Immutable.
///
/// @param folder of the stored logins, which need not exist
/// @param credentials the store of their tokens
public record LoginPlace(Path folder, CredentialsConfig credentials) {
    /// Null without a folder.
    static @Nullable LoginPlace of(@Nullable Path folder, CredentialsConfig credentials) {
        return folder == null ? null : new LoginPlace(folder, credentials);
    }
}
