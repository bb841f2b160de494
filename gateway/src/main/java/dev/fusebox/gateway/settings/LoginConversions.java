package dev.fusebox.gateway.settings;

import dev.fusebox.config.OAuthConfig;
import dev.fusebox.config.OAuthGrant;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.token.TokenRecord.GrantType;

/// Settings of logins. Pure functions; thread-safe. Separate from [Endpoints], so that gateways without logins load
/// nothing of them.
public final class LoginConversions {
    private LoginConversions() {}

    /// The login to a server.
    public static LoginSettings of(String server, ServerEndpoint.Remote remote) {
        OAuthConfig oauth = remote.oauth();
        return new LoginSettings(
                server,
                remote.uri(),
                Endpoints.target(remote).route(),
                oauth.clientId(),
                oauth.clientSecret(),
                oauth.clientMetadataUrl(),
                oauth.privateKey(),
                oauth.issuer(),
                oauth.scopes(),
                oauth.resource(),
                oauth.redirectPort(),
                oauth.grant() == OAuthGrant.CLIENT_CREDENTIALS ? GrantType.CLIENT_CREDENTIALS : GrantType.LOGIN);
    }
}
