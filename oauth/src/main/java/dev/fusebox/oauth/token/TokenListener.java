package dev.fusebox.oauth.token;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Listener of the refreshes of one login. Called on the thread of the refresh, outside of locks; nothing here may
/// block.
public interface TokenListener {
    /// Ignores everything.
    TokenListener NONE = new TokenListener() {
        @Override
        public void refreshed(TokenRecord tokenRecord) {
            // Ignored.
        }

        @Override
        public void refreshFailed(String cause, @Nullable Instant willRetryAt) {
            // Ignored.
        }
    };

    /// Tokens that were stored before, perhaps by another process, are used from now on.
    default void loaded(TokenRecord tokenRecord) {
        // Ignored.
    }

    /// There are new tokens.
    void refreshed(TokenRecord tokenRecord);

    /// New tokens are used from memory, because they cannot be stored.
    ///
    /// @param pause until the next attempt
    default void unsaved(String cause, Duration pause) {
        // Ignored.
    }

    /// Tokens that could not be stored are stored now.
    default void saved() {
        // Ignored.
    }

    /// There are none.
    ///
    /// @param willRetryAt null if only a login helps
    void refreshFailed(String cause, @Nullable Instant willRetryAt);
}
