package dev.fusebox.client.framing;

import dev.fusebox.platform.Platform;
import java.time.Duration;

/// Limit of the length and the duration of a message that is skipped. Not thread-safe; nothing blocks.
public final class OversizedMessageLimit {
    private final long bytes;
    private final long nanos;
    private final Platform platform;
    private boolean isRunning;
    private long since;

    public OversizedMessageLimit(long bytes, Duration time, Platform platform) {
        this.bytes = bytes;
        this.nanos = time.toNanos();
        this.platform = platform;
    }

    /// Whether more is not worth skipping.
    ///
    /// @param skipped how much of a message has been skipped so far; 0 if none is
    public boolean isExceeded(long skipped) {
        if (skipped == 0) {
            isRunning = false;
            return false;
        }
        if (!isRunning) {
            isRunning = true;
            since = platform.ticker().nanos();
        }
        return skipped > bytes || platform.ticker().nanos() - since > nanos;
    }
}
