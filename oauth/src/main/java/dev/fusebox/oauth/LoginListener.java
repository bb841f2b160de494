package dev.fusebox.oauth;

import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Listener of the logins of a process. Thread-safe; nothing here may block.
public interface LoginListener {
    /// Ignores everything.
    LoginListener NONE = new LoginListener() {};

    /// The result of a login that has succeeded.
    String SUCCEEDED = "succeeded";

    /// A login by a person has ended.
    ///
    /// @param result [#SUCCEEDED], or why it failed
    default void ended(String server, String result) {
        // Ignored.
    }

    /// The access token of a server was refreshed.
    ///
    /// @param expiresAt null if unknown
    default void refreshed(String server, @Nullable Instant expiresAt) {
        // Ignored.
    }

    /// A refresh did not succeed.
    ///
    /// @param willRetryAt null if only a login helps
    default void refreshFailed(String server, String cause, @Nullable Instant willRetryAt) {
        // Ignored.
    }

    /// There are new secrets of the login to a server, which no message may show.
    default void secrets(String server, Collection<String> secrets) {
        // Ignored.
    }
}
