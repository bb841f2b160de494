package dev.fusebox.oauth;

import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Principal;
import dev.fusebox.oauth.login.CallbackListener;
import dev.fusebox.oauth.login.FailedLogin;
import dev.fusebox.oauth.protocol.AuthChallenge;
import dev.fusebox.oauth.protocol.Discovered;
import dev.fusebox.oauth.protocol.Discovery;
import dev.fusebox.oauth.protocol.IssuerMetadata;
import dev.fusebox.oauth.protocol.LoginProbe;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.protocol.Registrar;
import dev.fusebox.oauth.token.LiveToken;
import dev.fusebox.oauth.token.TokenKey;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Examination of the login to one server, for a diagnosis: each method answers one question. Nothing is registered,
/// and nothing is stored but the result of [#renewed]. Thread-safe; a request blocks for four seconds at most, in
/// addition to the wait for other requests to the same authorization server.
public final class LoginExamination {
    private static final Duration STORE_LIMIT = Duration.ofSeconds(5);

    private final LoginSettings settings;
    private final Logins logins;
    private final LoginProbe loginProbe;

    LoginExamination(LoginSettings settings, Logins logins) {
        this.settings = settings;
        this.logins = logins;
        this.loginProbe = new LoginProbe(logins.examining(), settings);
    }

    public LoginSettings settings() {
        return settings;
    }

    // ---- Stored login

    /// The stored login; null if there is none that can be used.
    public @Nullable TokenRecord stored() {
        return logins.find(settings);
    }

    /// Whether the access token has not expired.
    public boolean isUsable(TokenRecord stored) {
        return stored.isBeforeExpiry(now());
    }

    private Instant now() {
        return logins.platform().wallClock().instant();
    }

    /// The login after a refresh of its access token, with the reason if there is no new one. Immutable.
    ///
    /// @param tokenRecord the newest record
    public record Renewal(TokenRecord tokenRecord, TokenResult result) {}

    /// Refreshes the access token, with one attempt. A refresh that takes longer is awaited for another five seconds:
    /// its tokens are lost if the process ends before they are stored.
    public Renewal renewed(TokenRecord stored, Duration limit) {
        long end = logins.platform().ticker().nanos() + limit.toNanos();
        try (LiveToken liveToken = logins.liveToken(settings, stored)) {
            TokenResult result = liveToken.refreshedOnce(
                    () -> end - logins.platform().ticker().nanos());
            liveToken.awaitRefresh(STORE_LIMIT);
            return new Renewal(liveToken.tokenRecord(), result);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Renewal(stored, new TokenResult.Unavailable("interrupted", null));
        }
    }

    /// Requires that the login which belongs to this server, if there is one, can be read.
    ///
    /// @throws OAuthException if it cannot, with the file and the reason
    public void requireReadable(Discovered discovered) throws OAuthException {
        Path folder = logins.folder();
        boolean isThere = Files.exists(folder, LinkOption.NOFOLLOW_LINKS);
        if (isThere && !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new OAuthException(ErrorId.TOKEN_FILE_UNSAFE, folder + " is not a folder; remove it");
        }
        try {
            logins.tokenStore()
                    .read(new TokenKey(discovered.issuer().issuer(), discovered.resource(), Principal.OWNER));
        } catch (IOException unusable) {
            throw OAuthException.ofStore("the stored login is not used: ", unusable);
        }
    }

    /// Why the last login failed; null if it has not, or that is unknown.
    public @Nullable FailedLogin lastFailure() {
        try {
            return logins.pendingLogins().failure(SharedLogin.identity(settings));
        } catch (IOException unreadable) {
            return null;
        }
    }

    // ---- Servers

    /// What the server answers without a token; null if there is no answer.
    public LoginProbe.@Nullable ProbeAnswer server() {
        return loginProbe.server();
    }

    /// The authorization server, from its own metadata.
    ///
    /// @throws OAuthException if no login is possible, with the reason
    public Discovered discovered(@Nullable AuthChallenge challenge) throws OAuthException {
        return new Discovery(logins.examining(), settings).discover(challenge);
    }

    /// Requires that a new login would find a client, as far as that is known without registering one.
    ///
    /// @throws OAuthException if it would not, with the reason
    public void requireClient(Discovered discovered) throws OAuthException {
        String port = settings.redirectPort() == 0 ? "" : ":" + settings.redirectPort();
        new Registrar(logins.examining(), settings)
                .examine(discovered.issuer(), "http://127.0.0.1" + port + CallbackListener.PATH);
    }

    /// How far the clock of the authorization server is ahead of that of this machine; null if it does not say.
    public @Nullable Duration clockOffset(IssuerMetadata issuer) {
        return loginProbe.clockOffset(issuer);
    }
}
