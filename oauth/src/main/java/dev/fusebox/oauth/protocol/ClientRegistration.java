package dev.fusebox.oauth.protocol;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// This client as one authorization server knows it. Immutable. Its text form contains no secret.
///
/// @param clientSecret null if it has none
/// @param redirectUri that it was registered with; null if that is not known
/// @param issuedAt when it was registered; the epoch if not by this program
/// @param secretExpiresAt null if the secret does not expire
public record ClientRegistration(
        String clientId,
        @Nullable String clientSecret,
        ClientAuthMethod method,
        Kind kind,
        @Nullable String redirectUri,
        Instant issuedAt,
        @Nullable Instant secretExpiresAt) {
    /// How a client became known to its authorization server.
    public enum Kind {
        /// By a person, who configured its id.
        CONFIGURED,
        /// By a client id metadata document.
        DOCUMENT,
        /// By dynamic registration.
        DYNAMIC
    }

    /// A client that the authorization server does not have to be told of.
    static ClientRegistration known(
            String clientId, @Nullable String clientSecret, ClientAuthMethod method, Kind kind) {
        return new ClientRegistration(clientId, clientSecret, method, kind, null, Instant.EPOCH, null);
    }

    /// Whether a new login may use it.
    boolean isUsable(Instant now) {
        return secretExpiresAt == null || now.isBefore(secretExpiresAt);
    }

    @Override
    public String toString() {
        return "ClientRegistration[" + clientId + ", " + kind + ", " + method.id() + "]";
    }
}
