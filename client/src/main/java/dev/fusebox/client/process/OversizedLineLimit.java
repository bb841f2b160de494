package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;

/// Limit of the length and the duration of a line that is skipped. Not thread-safe.
final class OversizedLineLimit {
    private final ChildLimits limits;
    private final Platform platform;
    private boolean isRunning;
    private long since;

    OversizedLineLimit(ChildLimits limits, Platform platform) {
        this.limits = limits;
        this.platform = platform;
    }

    boolean isTooMuch(long skipped) {
        if (skipped == 0) {
            isRunning = false;
            return false;
        }
        if (!isRunning) {
            isRunning = true;
            since = platform.ticker().nanos();
        }
        long elapsed = platform.ticker().nanos() - since;
        return skipped > limits.discardBytes() || elapsed > limits.discardTime().toNanos();
    }
}
