package dev.fusebox.gateway.life;

import java.time.Duration;

/// When a server that refused its credentials is tried again with those that it has: they may have been changed
/// elsewhere, or the refusal was a blip. The next call is the try, after 5 s, 10 s, 20 s and so on up to 300 s.
/// Thread-safe; nothing blocks.
final class CredentialRetry {
    private static final Duration FIRST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private boolean isRefused;
    private Duration pause = FIRST;
    private long nextAt;

    /// The server refuses its credentials; nothing changes if it did before.
    synchronized void refused(long now) {
        if (!isRefused) {
            isRefused = true;
            pause = FIRST;
            nextAt = now + FIRST.toNanos();
        }
    }

    /// It takes them, or an operator wants it tried at once.
    synchronized void clear() {
        isRefused = false;
    }

    /// Whether the caller is to be the try; the next one is due after twice as long.
    synchronized boolean tryNow(long now) {
        if (isRefused && now - nextAt < 0) {
            return false;
        }
        pause = pause.multipliedBy(2).compareTo(LONGEST) < 0 ? pause.multipliedBy(2) : LONGEST;
        nextAt = now + pause.toNanos();
        return true;
    }

    /// How long until the next try.
    synchronized Duration left(long now) {
        return Duration.ofNanos(Math.max(0, nextAt - now));
    }
}
