package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import java.time.Duration;

/// How long a child may still leave what waits for it unread. For one thread.
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

    /// How long to wait at most; for ever if nothing waits for the child.
    long left(boolean waits, long progress) {
        boolean begins = waits && (!isRunning || progress != lastProgress);
        isRunning = waits;
        lastProgress = progress;
        if (begins) {
            since = platform.ticker().nanos();
        }
        return isRunning ? Math.max(0, limit - elapsed()) : Long.MAX_VALUE;
    }

    /// True once, when the time is up.
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
