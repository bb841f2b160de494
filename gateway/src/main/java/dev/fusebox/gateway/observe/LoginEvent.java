package dev.fusebox.gateway.observe;

import dev.fusebox.protocol.JsonWriter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An event of the login to a server. Immutable; it never contains a token.
public sealed interface LoginEvent extends Event {
    /// A login has ended.
    ///
    /// @param result `succeeded`, or why it failed
    record LoggedIn(String server, String result) implements LoginEvent {
        boolean isSuccess() {
            return result.equals("succeeded");
        }

        @Override
        public String type() {
            return "mcp.auth.login";
        }

        @Override
        public void describe(JsonWriter into) {
            into.name("result").string(result);
        }
    }

    /// The access token was refreshed.
    ///
    /// @param expiresAt null if unknown
    record Refreshed(String server, @Nullable Instant expiresAt) implements LoginEvent {
        @Override
        public String type() {
            return "mcp.auth.refreshed";
        }

        @Override
        public void describe(JsonWriter into) {
            into.name("expiresAt").string(text(expiresAt));
        }
    }

    /// The access token could not be refreshed.
    ///
    /// @param willRetryAt null if only a login helps
    record RefreshFailed(
            String server, String cause, @Nullable Instant willRetryAt) implements LoginEvent {
        @Override
        public String type() {
            return "mcp.auth.refresh_failed";
        }

        @Override
        public void describe(JsonWriter into) {
            into.name("cause").string(cause);
            into.name("willRetryAt").string(text(willRetryAt));
        }
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : UtcTimestamp.of(instant);
    }
}
