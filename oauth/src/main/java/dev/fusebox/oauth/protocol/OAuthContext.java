package dev.fusebox.oauth.protocol;

import dev.fusebox.client.http.WebClient;
import dev.fusebox.platform.Platform;

/// What all logins of a process share: its platform, HTTP client, store of authorization servers, and their guards.
/// Thread-safe; nothing blocks. The HTTP client belongs to the caller.
public final class OAuthContext {
    private final Platform platform;
    private final WebClient webClient;
    private final IssuerStore issuerStore;
    private final IssuerGuards issuerGuards;

    public OAuthContext(Platform platform, WebClient webClient, IssuerStore issuerStore) {
        this.platform = platform;
        this.webClient = webClient;
        this.issuerStore = issuerStore;
        this.issuerGuards = new IssuerGuards(platform);
    }

    Platform platform() {
        return platform;
    }

    WebClient webClient() {
        return webClient;
    }

    IssuerStore issuerStore() {
        return issuerStore;
    }

    IssuerGuard guard(String issuer) {
        return issuerGuards.of(issuer);
    }
}
