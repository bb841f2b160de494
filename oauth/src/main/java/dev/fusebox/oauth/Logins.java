package dev.fusebox.oauth;

import dev.fusebox.client.Principal;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.WebClient;
import dev.fusebox.oauth.login.PendingLogins;
import dev.fusebox.oauth.protocol.IssuerStore;
import dev.fusebox.oauth.protocol.IssuerTokenEndpoint;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.protocol.OAuthContext;
import dev.fusebox.oauth.token.LiveToken;
import dev.fusebox.oauth.token.RefreshAnswer;
import dev.fusebox.oauth.token.TokenEndpoint;
import dev.fusebox.oauth.token.TokenKey;
import dev.fusebox.oauth.token.TokenListener;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenStore;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The logins of this user, as one process uses them: their storage, the client for authorization servers, and what
/// these servers are known to be. Thread-safe; blocks on the storage and the network where a method says so.
public final class Logins implements AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(Logins.class);
    /// Of one request of an examination, which sends a few of them one after the other.
    private static final Duration EXAMINATION_LIMIT = Duration.ofSeconds(4);

    private final Platform platform;
    private final TokenStore tokenStore;
    private final Path folder;
    private final OutboundSettings outboundSettings;
    private final LoginListener listener;
    private final PendingLogins pendingLogins;
    private @Nullable Connections connections;
    private boolean isClosed;

    private Logins(Platform platform, LoginStorage storage, OutboundSettings settings, LoginListener listener) {
        this.platform = platform;
        this.tokenStore = storage.tokenStore();
        this.folder = storage.folder();
        this.outboundSettings = settings;
        this.listener = listener;
        this.pendingLogins = new PendingLogins(platform, folder);
    }

    /// What requests to authorization servers need.
    private record Connections(WebClient webClient, OAuthContext context, OAuthContext examining) {}

    /// Opens the logins that are stored in files; nothing is read yet.
    ///
    /// @param folder of the stored logins, which need not exist
    /// @param settings of connections to authorization servers
    public static Logins open(Platform platform, Path folder, OutboundSettings settings, LoginListener listener) {
        return open(platform, LoginStorage.files(folder), settings, listener);
    }

    /// Opens the stored logins; nothing is read yet.
    ///
    /// @param settings of connections to authorization servers
    public static Logins open(
            Platform platform, LoginStorage storage, OutboundSettings settings, LoginListener listener) {
        return new Logins(platform, storage, settings, listener);
    }

    /// The login to one server, which the caller closes.
    public ServerLogin to(LoginSettings settings) {
        return new ServerLogin(settings, this);
    }

    /// A new login by a person or by client credentials.
    public LoginFlow flow(LoginSettings settings) {
        return new LoginFlow(platform, this, settings);
    }

    /// An examination of the login to one server.
    public LoginExamination examination(LoginSettings settings) {
        return new LoginExamination(settings, this);
    }

    public TokenStore tokenStore() {
        return tokenStore;
    }

    Platform platform() {
        return platform;
    }

    /// Opened for the first request: a start with valid tokens loads none of it.
    private synchronized Connections connections() {
        if (connections == null) {
            WebClient webClient = WebClient.open(platform, outboundSettings);
            OAuthContext context = new OAuthContext(platform, webClient, new IssuerStore(folder));
            connections = new Connections(webClient, context, context.examining(EXAMINATION_LIMIT));
            if (isClosed) {
                webClient.close();
            }
        }
        return connections;
    }

    OAuthContext context() {
        return connections().context();
    }

    /// The context of examinations.
    OAuthContext examining() {
        return connections().examining();
    }

    /// The folder of the stored logins, which need not exist.
    Path folder() {
        return folder;
    }

    PendingLogins pendingLogins() {
        return pendingLogins;
    }

    LoginListener listener() {
        return listener;
    }

    /// The stored login that these settings refer to, perhaps without its tokens; null if there is none. A login that
    /// was made for another address, issuer, resource or client is not used. Blocks on disk access.
    public @Nullable TokenRecord find(LoginSettings settings) {
        try {
            return tokenStore.all().stream()
                    .filter(stored -> isFor(settings, stored))
                    .max(Comparator.comparing(stored -> stored.grant().at()))
                    .orElse(null);
        } catch (IOException unreadable) {
            LOG.log(Level.WARNING, settings.server() + ": cannot read the stored logins: " + unreadable.getMessage());
            return null;
        }
    }

    /// Removes the server from its earlier logins, such as those at an authorization server that it no longer uses, and
    /// deletes those that no server uses any longer.
    void removeOthers(LoginSettings settings, TokenRecord newest) {
        try {
            for (TokenRecord listed : tokenStore.all()) {
                if (isFor(settings, listed) && !listed.key().equals(newest.key())) {
                    removeServer(listed.key(), settings.serverUrl());
                }
            }
        } catch (IOException unusable) {
            LOG.log(
                    Level.WARNING,
                    settings.server() + ": cannot delete an earlier login: " + unusable.getMessage()
                            + "; the new login is used");
        }
    }

    /// A login that is being refreshed is skipped: [#find] prefers the newer one.
    private void removeServer(TokenKey key, URI serverUrl) throws IOException {
        try (TokenStore.Lock lock = tokenStore.tryLock(key)) {
            TokenRecord stored = lock == null ? null : tokenStore.read(key);
            if (stored != null && stored.grant().isShared(address(serverUrl))) {
                tokenStore.write(stored.without(address(serverUrl)));
            } else if (stored != null) {
                tokenStore.remove(key);
            }
        }
    }

    private static boolean isFor(LoginSettings settings, TokenRecord stored) {
        TokenRecord.Grant grant = stored.grant();
        return stored.key().principal().equals(Principal.OWNER)
                && grant.serverUrls().contains(address(settings.serverUrl()))
                && isSameKind(settings, stored)
                && isSame(settings.issuer(), stored.key().issuer())
                && isSame(settings.resource(), stored.key().resource());
    }

    /// Whether a login with these settings replaces the stored one for all its servers.
    static boolean isSameKind(LoginSettings settings, TokenRecord stored) {
        return stored.grant().type() == settings.grant()
                && isFor(settings.clientId(), stored.grant().client());
    }

    private static boolean isFor(@Nullable String configured, TokenRecord.TokenClient client) {
        return configured == null ? !client.isConfigured() : configured.equals(client.id());
    }

    private static boolean isSame(@Nullable String configured, String stored) {
        return configured == null || withoutSlash(configured).equals(withoutSlash(stored));
    }

    private static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /// The address of a server as it is stored, without its query, which may contain secrets.
    static String address(URI serverUrl) {
        return serverUrl.toString().replaceFirst("[?#].*", "");
    }

    LiveToken liveToken(LoginSettings settings, TokenRecord stored) {
        listener.secrets(settings.server(), ServerLogin.secrets(stored));
        LiveToken.Sources sources =
                new LiveToken.Sources(tokenStore, endpoint(settings), listenerFor(settings.server()));
        return LiveToken.of(
                platform, stored, sources, "process " + ProcessHandle.current().pid());
    }

    /// Connects at its first request.
    private TokenEndpoint endpoint(LoginSettings settings) {
        return new TokenEndpoint() {
            private IssuerTokenEndpoint connected() {
                return new IssuerTokenEndpoint(context(), settings);
            }

            @Override
            public RefreshAnswer refresh(TokenRecord tokenRecord) {
                return connected().refresh(tokenRecord);
            }

            @Override
            public ProbeResult probe(TokenRecord tokenRecord) {
                return connected().probe(tokenRecord);
            }

            @Override
            public void forgetClient(TokenRecord tokenRecord) {
                connected().forgetClient(tokenRecord);
            }
        };
    }

    private TokenListener listenerFor(String server) {
        return new TokenListener() {
            @Override
            public void loaded(TokenRecord tokenRecord) {
                listener.secrets(server, ServerLogin.secrets(tokenRecord));
            }

            @Override
            public void refreshed(TokenRecord tokenRecord) {
                listener.secrets(server, ServerLogin.secrets(tokenRecord));
                listener.refreshed(server, tokenRecord.tokens().expiresAt());
            }

            @Override
            public void unsaved(String cause, Duration pause) {
                LOG.log(
                        Level.WARNING,
                        server + ": new tokens cannot be stored: " + cause
                                + "; they are used from memory, and lost if the process ends; next attempt in "
                                + pause.toSeconds() + " s");
            }

            @Override
            public void saved() {
                LOG.log(Level.INFO, server + ": the new tokens are stored");
            }

            @Override
            public void refreshFailed(String cause, @Nullable Instant willRetryAt) {
                listener.refreshFailed(server, cause, willRetryAt);
            }
        };
    }

    /// All stored logins. Blocks on the storage.
    ///
    /// @throws IOException if they cannot be read
    public List<TokenRecord> all() throws IOException {
        return tokenStore.all();
    }

    @Override
    public void close() {
        Connections opened;
        synchronized (this) {
            isClosed = true;
            opened = connections;
        }
        if (opened != null) {
            opened.webClient().close();
        }
    }
}
