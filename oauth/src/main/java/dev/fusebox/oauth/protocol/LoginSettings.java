package dev.fusebox.oauth.protocol;

import dev.fusebox.client.http.OutboundRoute;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Settings of the login to one MCP server, from the configuration of the operator. Immutable. Its text form contains
/// no secret.
///
/// @param server name of the server
/// @param serverUrl its endpoint, which may contain a secret in its query
/// @param route to the server and its authorization server
/// @param clientId of a client that is registered already; null if there is none
/// @param clientSecret of that client; null if it has none
/// @param clientMetadataUrl where the operator hosts the client id metadata document; null for none
/// @param privateKey file with the key of the registered client, PKCS #8 in PEM; null for none
/// @param issuer the only authorization server to use; null for the one that the server names
/// @param scopes to request; empty for those that the server names
/// @param resource to send in place of the one that the server names; null for that one
/// @param redirectPort port of the callback; 0 for any free port
/// @param grant how tokens are obtained
public record LoginSettings(
        String server,
        URI serverUrl,
        OutboundRoute route,
        @Nullable String clientId,
        @Nullable String clientSecret,
        @Nullable URI clientMetadataUrl,
        @Nullable Path privateKey,
        @Nullable String issuer,
        List<String> scopes,
        @Nullable String resource,
        int redirectPort,
        GrantType grant) {
    public LoginSettings {
        scopes = List.copyOf(scopes);
    }

    /// A login in a browser with nothing configured.
    public static LoginSettings of(String server, URI serverUrl) {
        return new LoginSettings(
                server,
                serverUrl,
                OutboundRoute.DEFAULT,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                null,
                0,
                GrantType.LOGIN);
    }

    @Override
    public String toString() {
        return "LoginSettings[" + server + ", " + grant + "]";
    }
}
