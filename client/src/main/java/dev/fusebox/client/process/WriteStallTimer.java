package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import java.time.Duration;

/// Timer of how long a child leaves its queued input unread. Not thread-safe; nothing blocks.
final class WriteStallTimer {
    private final long limit;
    private final Platform platform;
    private long since;
    private long lastProgress;
    private boolean isRunning;

    WriteStallTimer(Duration limit, Platform platform) {
        this.limit = limit.toNanos();
        this.platform = platform;
    }

    /// The longest time to wait; unlimited if no input is queued.
    long left(boolean waits, long progress) {
        boolean begins = waits && (!isRunning || progress != lastProgress);
        isRunning = waits;
        lastProgress = progress;
        if (begins) {
            since = platform.ticker().nanos();
        }
        return isRunning ? Math.max(0, limit - elapsed()) : Long.MAX_VALUE;
    }

    /// True once, when the limit is reached.
    boolean isOver(long progress) {
        boolean isOver = isRunning && progress == lastProgress && elapsed() >= limit;
        if (isOver) {
            since = platform.ticker().nanos();
        }
        return isOver;
    }

    private long elapsed() {
        return platform.ticker().nanos() - since;
    }
}
