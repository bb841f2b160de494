package dev.fusebox.oauth;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Principal;
import dev.fusebox.client.http.OutboundRoute;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.AuthorizationSettings;
import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.fixtures.oauth.OAuthFault;
import dev.fusebox.fixtures.oauth.OAuthFaultKind;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.oauth.protocol.AuthChallenge;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.token.FileTokenStore;
import dev.fusebox.oauth.token.TokenKey;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import dev.fusebox.oauth.token.TokenState;
import dev.fusebox.oauth.token.TokenStore;
import dev.fusebox.oauth.token.Tokens;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An MCP server, its authorization server, and another server that must never be asked, with the logins of a user who
/// has logged in before. One login is tried in it, and then its traces are checked. Used by one thread.
final class HostileWorld implements AutoCloseable {
    /// What the stored login of before would betray.
    static final List<String> OLD_SECRETS = List.of("old-access-token", "old-refresh-token");

    /// No login in these tests takes longer, on a machine that is busy with other tests.
    private static final Duration LIMIT = Duration.ofSeconds(20);

    final AuthorizationServer issuer;
    final ProtectedServer server;
    final AuthorizationServer elsewhere = AuthorizationServer.start();
    final HostileBrowser browser;
    final Path folder;

    URI serverUrl;

    @Nullable
    String configuredIssuer;

    @Nullable
    String clientId;

    @Nullable
    AuthChallenge challenge;

    Way way = Way.BROWSER;
    /// How many times faster than the real clock all limits pass.
    int speed = 1;
    /// The number of pages that a person is sent to.
    int opened;

    /// How a login is made.
    enum Way {
        BROWSER,
        DEVICE
    }

    HostileWorld(Path folder) throws IOException {
        this(folder, AuthorizationSettings.defaults());
    }

    HostileWorld(Path folder, AuthorizationSettings settings) throws IOException {
        this.folder = folder.resolve("tokens");
        this.issuer = AuthorizationServer.start(settings);
        this.server = ProtectedServer.start(issuer);
        this.serverUrl = server.uri();
        this.browser = new HostileBrowser(issuer);
    }

    // ---- Arrangement

    HostileWorld fault(FaultPoint at, OAuthFaultKind kind, Object value) {
        issuer.faults().always(at, OAuthFault.of(kind, value));
        return this;
    }

    /// The server has a name from now on, so that nothing says that it is on this machine.
    HostileWorld outside() {
        serverUrl = URI.create("http://mcp.example:" + server.uri().getPort() + "/mcp");
        server.set(settings -> settings.withResource(serverUrl.toString()));
        return this;
    }

    /// The issuer has a name from now on, is configured by the operator, and has these endpoints in its metadata.
    HostileWorld configuredIssuer(Map<String, String> endpoints) {
        String named = issuer.issuer().replace("127.0.0.1", "issuer.example");
        configuredIssuer = named;
        server.set(settings -> settings.withIssuers(List.of(named)));
        Map<String, String> members = new TreeMap<>(Map.of(
                "authorization_endpoint", "https://login.example/authorize",
                "token_endpoint", named + "/token",
                "registration_endpoint", named + "/register"));
        members.putAll(endpoints);
        StringBuilder json = new StringBuilder("{\"issuer\":\"" + named + "\"");
        members.forEach((name, url) ->
                json.append(",\"").append(name).append("\":\"").append(url).append('"'));
        json.append(",\"code_challenge_methods_supported\":[\"S256\"]")
                .append(",\"token_endpoint_auth_methods_supported\":[\"none\"]}");
        return fault(FaultPoint.METADATA, OAuthFaultKind.ANSWER, json);
    }

    HostileWorld challenge(String... values) {
        challenge = AuthChallenge.of(List.of(values));
        return this;
    }

    LoginSettings settings() {
        return new LoginSettings(
                "files",
                serverUrl,
                OutboundRoute.DEFAULT,
                clientId,
                null,
                null,
                null,
                configuredIssuer,
                List.of(),
                null,
                0,
                GrantType.LOGIN);
    }

    Logins logins() {
        return Logins.open(
                HostileTime.faster(Platform.system(), speed), folder, OutboundSettings.defaults(), LoginListener.NONE);
    }

    TokenKey key() {
        return new TokenKey(issuer.issuer(), server.uri().toString(), Principal.OWNER);
    }

    /// The login of before.
    TokenRecord stored(TokenKey key) {
        Instant then = Instant.parse("2026-01-01T00:00:00Z");
        return new TokenRecord(
                key,
                7,
                new TokenRecord.Grant(
                        GrantType.LOGIN,
                        then,
                        Set.of(server.uri().toString()),
                        new TokenRecord.TokenClient("old-client", false),
                        Set.of("files:read"),
                        null),
                new Tokens(OLD_SECRETS.getFirst(), OLD_SECRETS.getLast(), then, then.plusSeconds(60), Set.of()),
                new TokenState.Ready());
    }

    // ---- Login

    TokenRecord login(Logins logins) throws OAuthException, InterruptedException {
        LoginFlow flow = logins.flow(settings());
        LoginFlow.Wish wish = new LoginFlow.Wish(challenge, Set.of());
        return way == Way.DEVICE ? flow.onDevice(wish, browser) : flow.inBrowser(wish, browser);
    }

    /// Tries to log in, which ends as it should.
    ///
    /// @param id null for a login that succeeds
    /// @param fragment of the message
    /// @return the new record; null if there is none
    @Nullable
    TokenRecord check(@Nullable ErrorId id, String fragment) throws Exception {
        try (Logins logins = logins()) {
            logins.tokenStore().write(stored(key()));
            Map<String, String> before = records();
            long begun = System.currentTimeMillis();
            String message = "";
            ErrorId found = null;
            TokenRecord made = null;
            try {
                made = login(logins);
            } catch (OAuthException failed) {
                message = failed.message();
                found = failed.id();
            }
            assertThat(System.currentTimeMillis() - begun).isLessThan(LIMIT.toMillis());
            assertThat(message).contains(fragment);
            assertThat(found).as(message).isEqualTo(id);
            if (id != null) {
                assertThat(records()).isEqualTo(before);
            }
            checkTraces(message);
            return made;
        }
    }

    private void checkTraces(String message) {
        assertThat(elsewhere.observed().paths()).isEmpty();
        assertThat(issuer.observed().refreshes()).doesNotContainKey(OLD_SECRETS.getLast());
        assertThat(browser.opened).hasSize(opened);
        Stream.concat(issuer.observed().secrets().stream(), OLD_SECRETS.stream())
                .filter(secret -> secret.length() > 8)
                .forEach(secret -> assertThat(message).doesNotContain(secret));
        assertThat(message + browser.pages).doesNotContain("<script", "javascript:", "alert(");
        assertThat(message).doesNotContain("\n");
    }

    /// The last page that the browser shows, which may arrive after the login has ended.
    String page() {
        eventually("browser is done", browser::isGone);
        return browser.pages.getLast();
    }

    /// The stored logins by their file names.
    Map<String, String> records() throws IOException {
        Map<String, String> records = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (file.getFileName().toString().matches("[0-9a-f]{64}\\.json")) {
                    records.put(file.getFileName().toString(), Files.readString(file, StandardCharsets.UTF_8));
                }
            }
        }
        return records;
    }

    @Override
    public void close() {
        server.close();
        issuer.close();
        elsewhere.close();
        // A refresh goes on after its callers have left, and the folder is about to be deleted.
        eventually("no refresh is running", this::isUnlocked);
    }

    /// A folder in which no lock can be taken is one that no refresh writes to.
    private boolean isUnlocked() {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        try (TokenStore.Lock lock = new FileTokenStore(folder).tryLock(key())) {
            return lock != null;
        } catch (IOException unusable) {
            return true;
        }
    }
}
