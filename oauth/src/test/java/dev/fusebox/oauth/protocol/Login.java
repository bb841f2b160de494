package dev.fusebox.oauth.protocol;

import dev.fusebox.client.http.OutboundRoute;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.WebClient;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import dev.fusebox.platform.Platform;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The settings and surroundings of one login in a test. Not thread-safe until it is built.
final class Login implements AutoCloseable {
    static final Platform PLATFORM = Platform.system();

    final WebClient webClient = WebClient.open(PLATFORM, OutboundSettings.defaults());
    final IssuerStore store;
    final OAuthContext context;
    private final URI serverUrl;
    private @Nullable String clientId;
    private @Nullable String clientSecret;
    private @Nullable URI document;
    private @Nullable Path privateKey;
    private @Nullable String issuer;
    private @Nullable String resource;
    private GrantType grant = GrantType.LOGIN;
    private final List<String> scopes = new ArrayList<>();

    Login(URI serverUrl, Path folder) {
        this.serverUrl = serverUrl;
        this.store = new IssuerStore(folder);
        this.context = new OAuthContext(PLATFORM, webClient, store);
    }

    Login client(String id, @Nullable String secret) {
        clientId = id;
        clientSecret = secret;
        return this;
    }

    Login document(String url) {
        document = URI.create(url);
        return this;
    }

    Login privateKey(Path file) {
        privateKey = file;
        return this;
    }

    Login issuer(String url) {
        issuer = url;
        return this;
    }

    Login resource(String url) {
        resource = url;
        return this;
    }

    Login scope(String scope) {
        scopes.add(scope);
        return this;
    }

    Login withoutPerson() {
        grant = GrantType.CLIENT_CREDENTIALS;
        return this;
    }

    LoginSettings settings() {
        return new LoginSettings(
                "test",
                serverUrl,
                OutboundRoute.DEFAULT,
                clientId,
                clientSecret,
                document,
                privateKey,
                issuer,
                scopes,
                resource,
                0,
                grant);
    }

    Discovery discovery() {
        return new Discovery(context, settings());
    }

    Registrar registrar() {
        return new Registrar(context, settings());
    }

    TokenRequests tokenRequests() {
        return new TokenRequests(context, settings());
    }

    @Override
    public void close() {
        webClient.close();
    }
}
