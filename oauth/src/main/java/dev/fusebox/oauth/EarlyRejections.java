package dev.fusebox.oauth;

import dev.fusebox.oauth.token.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/// Limit of the refreshes of a token that the server rejects long before it expires, although it has accepted it: a
/// server may reject one kind of request whatever the token. Thread-safe; nothing blocks.
final class EarlyRejections {
    private static final int LIMIT = 3;
    private static final Duration PERIOD = Duration.ofHours(1);

    private final Deque<Instant> refreshes = new ArrayDeque<>();

    /// Whether the token may be refreshed, which then counts.
    synchronized boolean isAllowed(Tokens rejected, Instant now) {
        if (!isEarly(rejected, now)) {
            return true;
        }
        // A time in the future was noted while the clock was wrong.
        refreshes.removeIf(at -> at.isAfter(now) || at.plus(PERIOD).isBefore(now));
        if (refreshes.size() >= LIMIT) {
            return false;
        }
        refreshes.addLast(now);
        return true;
    }

    /// In the first half of its lifetime.
    private static boolean isEarly(Tokens tokens, Instant now) {
        Instant expiresAt = tokens.expiresAt();
        Duration lifetime = expiresAt == null ? PERIOD : Duration.between(tokens.issuedAt(), expiresAt);
        return now.isBefore(tokens.issuedAt().plusMillis(lifetime.toMillis() / 2));
    }
}
