package dev.fusebox.gateway.lifecycle;

import java.time.Duration;

/// The backoff of a server that rejected its credentials: the next call after 5 s, 10 s, 20 s and so on up to 300
/// s tries the same credentials again, because they may have become valid or the rejection was temporary.
/// Thread-safe; nothing blocks.
final class CredentialRetry {
    private static final Duration FIRST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private boolean isRefused;
    private Duration pause = FIRST;
    private long nextAt;

    /// The server rejected its credentials; a repeated rejection changes nothing.
    synchronized void refused(long now) {
        if (!isRefused) {
            isRefused = true;
            pause = FIRST;
            nextAt = now + FIRST.toNanos();
        }
    }

    /// The server accepted them, or an operator requested an immediate try.
    synchronized void clear() {
        isRefused = false;
    }

    /// Whether the caller may try now; the next try is due after twice the pause.
    synchronized boolean tryNow(long now) {
        if (isRefused && now - nextAt < 0) {
            return false;
        }
        pause = pause.multipliedBy(2).compareTo(LONGEST) < 0 ? pause.multipliedBy(2) : LONGEST;
        nextAt = now + pause.toNanos();
        return true;
    }

    /// The time until the next try.
    synchronized Duration left(long now) {
        return Duration.ofNanos(Math.max(0, nextAt - now));
    }
}
