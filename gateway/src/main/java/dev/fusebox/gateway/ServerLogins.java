package dev.fusebox.gateway;

import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.ProxyRules;
import dev.fusebox.client.http.RequestAuthorizer;
import dev.fusebox.config.OAuthGrant;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.gateway.admin.LoginReport;
import dev.fusebox.gateway.routing.UserLogins;
import dev.fusebox.gateway.settings.LoginConversions;
import dev.fusebox.gateway.settings.StoredSecrets;
import dev.fusebox.oauth.LoginListener;
import dev.fusebox.oauth.Logins;
import dev.fusebox.oauth.ServerLogin;
import dev.fusebox.platform.Platform;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The logins of the servers of a gateway. Nothing of module `oauth` is loaded before a server needs it: before
/// one has a stored login, rejects a request with 401 or 403, or has client credentials. Thread-safe; blocks on
/// the storage when the first login is read.
public final class ServerLogins implements AutoCloseable {
    /// A refresh usually takes far less; one that takes longer is treated as one whose answer was lost.
    private static final Duration REFRESH_LIMIT = Duration.ofSeconds(5);

    private final Platform platform;
    private final @Nullable LoginPlace place;
    private final ProxyRules proxyRules;
    private final LoginListener listener;
    private final boolean hasStoredLogins;
    private final Map<String, ServerAuthorizer> authorizers = new ConcurrentHashMap<>();

    /// The servers whose configuration has credentials.
    private final Set<String> configured = ConcurrentHashMap.newKeySet();
    private final LoginPages pages;
    private final ElicitedLogins elicitedLogins;
    private @Nullable Logins logins;
    private boolean isClosed;

    /// Reads nothing yet.
    ///
    /// @param place of the stored logins; null for a gateway without logins
    public ServerLogins(Platform platform, @Nullable LoginPlace place, ProxyRules proxyRules, LoginListener listener) {
        this.platform = platform;
        this.place = place;
        this.proxyRules = proxyRules;
        this.listener = listener;
        this.hasStoredLogins = place != null && Files.isDirectory(place.folder());
        this.pages = new LoginPages(platform);
        this.elicitedLogins = new ElicitedLogins(platform, pages, listener);
    }

    /// The pages that lead users of clients to logins.
    LoginPages pages() {
        return pages;
    }

    /// The logins that clients ask their users for.
    ///
    /// @param isAsking whether they may ask
    UserLogins byUsers(BooleanSupplier isAsking) {
        elicitedLogins.use(this, isAsking);
        return elicitedLogins;
    }

    /// Sets how a server is connected after its user has logged in.
    void connectBy(ElicitedLogins.Connecting connecting) {
        elicitedLogins.connectBy(connecting);
    }

    /// Notes the end of a login that a command has made.
    void noteLogin(String server) {
        boolean isLoggedIn = report(server).filter(LoginReport::isLoggedIn).isPresent();
        listener.ended(server, isLoggedIn ? LoginListener.SUCCEEDED : "there is no valid login");
    }

    /// The authorizer of a server, in place of its former one; empty if it uses no logins: because its
    /// configuration turns them off, or has an `Authorization` header or a program for headers, or because there
    /// is no place for them.
    Optional<ServerAuthorizer> authorizer(String server, ServerEndpoint.Remote remote) {
        boolean hasOwn = remote.headers().keySet().stream().anyMatch("Authorization"::equalsIgnoreCase);
        if (hasOwn || !remote.headersHelper().isEmpty()) {
            configured.add(server);
        } else {
            configured.remove(server);
        }
        if (place == null
                || hasOwn
                || !remote.headersHelper().isEmpty()
                || !remote.oauth().isEnabled()) {
            authorizers.remove(server);
            return Optional.empty();
        }
        boolean isNeeded = hasStoredLogins || remote.oauth().grant() == OAuthGrant.CLIENT_CREDENTIALS;
        ServerAuthorizer next = new ServerAuthorizer(() -> open(server, remote), isNeeded);
        authorizers.put(server, next);
        return Optional.of(next);
    }

    /// The authorizer of a server whose headers a program prints.
    RequestAuthorizer headersHelper(String server, ServerEndpoint.Remote remote) {
        HeadersProgram program = new HeadersProgram(platform, remote.headersHelper());
        return new ProgramAuthorizer(platform, server, program, headers -> listener.secrets(server, headers.values()));
    }

    /// The login to a server; empty if it uses none.
    public Optional<ServerLogin> login(String server) {
        return Optional.ofNullable(authorizers.get(server)).map(ServerAuthorizer::login);
    }

    /// The login to a server of this configuration, for a command; empty if it uses none.
    public Optional<ServerLogin> login(String server, ServerEndpoint.Remote remote) {
        return authorizer(server, remote).map(ServerAuthorizer::login);
    }

    /// Whether requests to a server carry credentials.
    boolean hasCredentials(String server) {
        return configured.contains(server)
                || report(server).filter(LoginReport::isLoggedIn).isPresent();
    }

    /// The state of the login to a server; empty if it uses none, as far as it is known.
    public Optional<LoginReport> report(String server) {
        ServerAuthorizer authorizer = authorizers.get(server);
        ServerLogin login = authorizer == null ? null : authorizer.loginIfNeeded();
        return login == null
                ? Optional.empty()
                : LoginReports.of(login, platform.wallClock().instant());
    }

    private ServerLogin open(String server, ServerEndpoint.Remote remote) {
        return logins().to(LoginConversions.of(server, remote));
    }

    /// The stored logins.
    ///
    /// @throws IllegalStateException if this gateway has no place for them
    public synchronized Logins logins() {
        if (place == null) {
            throw new IllegalStateException("this gateway has no folder for logins");
        }
        if (logins == null) {
            logins = Logins.open(
                    platform,
                    StoredSecrets.logins(platform, place.credentials(), place.folder()),
                    OutboundSettings.defaults().withProxies(proxyRules),
                    listener);
            if (isClosed) {
                logins.close();
            }
        }
        return logins;
    }

    @Override
    public void close() {
        Logins opened;
        synchronized (this) {
            isClosed = true;
            opened = logins;
        }
        elicitedLogins.close();
        pages.close();
        authorizers.values().forEach(ServerAuthorizer::close);
        if (opened != null) {
            awaitRefreshes();
            opened.close();
        }
    }

    private void awaitRefreshes() {
        long end = platform.ticker().nanos() + REFRESH_LIMIT.toNanos();
        try {
            for (ServerAuthorizer authorizer : authorizers.values()) {
                authorizer.awaitRefresh(Duration.ofNanos(end - platform.ticker().nanos()));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
