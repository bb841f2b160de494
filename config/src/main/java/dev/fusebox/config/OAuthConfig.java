package dev.fusebox.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the gateway logs in to a server by OAuth. Immutable. Its text form contains no secret.
///
/// @param isEnabled whether tokens are used for this server
/// @param clientId the registered client; null to use `clientMetadataUrl`, or to register one
/// @param clientSecret of that client; null if it has none
/// @param clientMetadataUrl address of a client id metadata document; null if there is none
/// @param privateKey the key file with which the client authenticates (`private_key_jwt`); null if there is none
/// @param issuer the only authorization server to use; null for those that the server names
/// @param scopes to request; empty for those that the server asks for
/// @param resource the identifier of the server in requests for tokens; null for its published one
/// @param redirectPort the loopback port of the callback; 0 for any free port
/// @param grant how a token is obtained
public record OAuthConfig(
        boolean isEnabled,
        @Nullable String clientId,
        @Nullable String clientSecret,
        @Nullable URI clientMetadataUrl,
        @Nullable Path privateKey,
        @Nullable String issuer,
        List<String> scopes,
        @Nullable String resource,
        int redirectPort,
        OAuthGrant grant) {
    /// The settings of a server without the key `oauth`.
    public static final OAuthConfig USUAL = plain(true);

    public OAuthConfig {
        scopes = List.copyOf(scopes);
    }

    /// No settings, as with `true` and `false`.
    static OAuthConfig plain(boolean isEnabled) {
        return new OAuthConfig(
                isEnabled, null, null, null, null, null, List.of(), null, 0, OAuthGrant.AUTHORIZATION_CODE);
    }

    @Override
    public String toString() {
        return "OAuthConfig[isEnabled=" + isEnabled + ", grant=" + grant + "]";
    }
}
