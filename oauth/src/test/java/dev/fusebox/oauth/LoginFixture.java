package dev.fusebox.oauth;

import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/// A protected server, its authorization server, and the logins of a user whose browser agrees to everything.
/// Thread-safe; a login blocks for the network.
record LoginFixture(AuthorizationServer issuer, ProtectedServer server, Logins logins) implements AutoCloseable {
    /// @param folder of the logins
    static LoginFixture open(Path folder) throws IOException {
        AuthorizationServer issuer = AuthorizationServer.start();
        ProtectedServer server = ProtectedServer.start(issuer);
        Logins logins = Logins.open(Platform.system(), folder, OutboundSettings.defaults(), LoginListener.NONE);
        return new LoginFixture(issuer, server, logins);
    }

    TokenRecord logIn(LoginSettings settings, String... scopes) throws Exception {
        return logins.flow(settings).inBrowser(new LoginFlow.Wish(null, Set.of(scopes)), new ScriptedBrowser());
    }

    @Override
    public void close() {
        logins.close();
        server.close();
        issuer.close();
    }
}
