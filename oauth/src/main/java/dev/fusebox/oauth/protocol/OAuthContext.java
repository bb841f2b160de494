package dev.fusebox.oauth.protocol;

import dev.fusebox.client.http.WebClient;
import dev.fusebox.platform.Platform;
import java.time.Duration;

/// What all logins of a process share: its platform, HTTP client, store of authorization servers, and their guards.
/// Thread-safe; nothing blocks. The HTTP client belongs to the caller.
public final class OAuthContext {
    /// Longer than any limit of a request.
    private static final Duration UNLIMITED = Duration.ofDays(1);

    private final Platform platform;
    private final WebClient webClient;
    private final IssuerStore issuerStore;
    private final IssuerGuards issuerGuards;
    private final Duration longest;

    public OAuthContext(Platform platform, WebClient webClient, IssuerStore issuerStore) {
        this(platform, webClient, issuerStore, UNLIMITED);
    }

    private OAuthContext(Platform platform, WebClient webClient, IssuerStore issuerStore, Duration longest) {
        this.platform = platform;
        this.webClient = webClient;
        this.issuerStore = issuerStore;
        this.issuerGuards = new IssuerGuards(platform);
        this.longest = longest;
    }

    /// A context for examinations: metadata is always retrieved, and nothing is stored.
    ///
    /// @param limit of each request, if its usual limit is longer
    public OAuthContext examining(Duration limit) {
        return new OAuthContext(platform, webClient, issuerStore.examined(), limit);
    }

    /// The limit of a request.
    Duration limit(Duration usual) {
        return usual.compareTo(longest) < 0 ? usual : longest;
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
