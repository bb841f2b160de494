package dev.fusebox.oauth.token;

import dev.fusebox.client.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/// Token records for tests.
final class Records {
    static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    static final TokenKey KEY = new TokenKey("https://issuer.example", "https://server.example/mcp", Principal.OWNER);

    private Records() {}

    static TokenRecord ready() {
        TokenRecord.Grant grant = new TokenRecord.Grant(
                TokenRecord.GrantType.LOGIN,
                NOW,
                Set.of(KEY.resource()),
                new TokenRecord.TokenClient("client", false),
                Set.of("read", "write"),
                "someone");
        return new TokenRecord(KEY, 1, grant, tokens("refresh-1"), new TokenState.Ready());
    }

    static Tokens tokens(String refresh) {
        return new Tokens("access-1", refresh, NOW, NOW.plus(Duration.ofHours(1)), Set.of("read"));
    }
}
