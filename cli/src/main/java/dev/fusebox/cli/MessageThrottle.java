package dev.fusebox.cli;

import dev.fusebox.platform.Ticker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// A throttle that passes an identical message once a minute. Thread-safe; does not block. The oldest of more than
/// 1,000 messages is forgotten.
final class MessageThrottle {
    private static final long REST_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int MOST = 1_000;

    private final Ticker ticker;
    private final Map<String, Long> saidAt = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST;
        }
    };

    MessageThrottle(Ticker ticker) {
        this.ticker = ticker;
    }

    /// Whether the message has not passed within the last minute.
    synchronized boolean isNew(String words) {
        long now = ticker.nanos();
        Long before = saidAt.get(words);
        if (before != null && now - before < REST_NANOS) {
            return false;
        }
        saidAt.remove(words);
        saidAt.put(words, now);
        return true;
    }
}
