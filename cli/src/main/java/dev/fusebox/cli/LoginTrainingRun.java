package dev.fusebox.cli;

import dev.fusebox.client.Principal;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.RequestAuthorizer.AuthRejection;
import dev.fusebox.client.http.RequestAuthorizer.Authorization;
import dev.fusebox.oauth.LoginListener;
import dev.fusebox.oauth.Logins;
import dev.fusebox.oauth.ServerLogin;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.token.TokenKey;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenState;
import dev.fusebox.oauth.token.Tokens;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// Uses of a stored login, for the launcher's training run: the AOT cache then contains the classes that a start with
/// a login loads. No request is sent. Not thread-safe; blocks on disk access.
final class LoginTrainingRun {
    private static final URI SERVER = URI.create("https://server.invalid/mcp");
    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final Duration CALL = Duration.ofSeconds(1);

    private LoginTrainingRun() {}

    /// @param folder of the logins, which is deleted by the caller
    static void run(Platform platform, Path folder) throws IOException {
        LoginSettings settings = LoginSettings.of("training", SERVER);
        try (Logins logins = Logins.open(platform, folder, OutboundSettings.defaults(), LoginListener.NONE)) {
            logins.tokenStore().write(login(platform.wallClock().instant()));
            try (ServerLogin login = logins.to(settings)) {
                if (login.authorize(CALL::toNanos) instanceof Authorization.Granted granted) {
                    login.accepted(granted);
                    AuthRejection rejection =
                            new AuthRejection(403, List.of("Bearer error=\"insufficient_scope\", scope=\"b\""), "tool");
                    login.rejected(granted, rejection, CALL::toNanos);
                }
            }
        }
    }

    private static TokenRecord login(Instant now) {
        TokenRecord.Grant grant = new TokenRecord.Grant(
                TokenRecord.GrantType.LOGIN,
                now,
                Set.of(SERVER.toString()),
                new TokenRecord.Client("training", false),
                Set.of("a"),
                null);
        Tokens tokens = new Tokens("access", "refresh", now, now.plus(LIFETIME), Set.of("a"));
        TokenKey key = new TokenKey("https://issuer.invalid", SERVER.toString(), Principal.OWNER);
        return new TokenRecord(key, 1, grant, tokens, new TokenState.Ready());
    }
}
