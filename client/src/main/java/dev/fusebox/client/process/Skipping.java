package dev.fusebox.client.process;

import dev.fusebox.world.World;

/// How long a line over the limit may go on. For one thread.
final class Skipping {
    private final ChildLimits limits;
    private final World world;
    private boolean isRunning;
    private long since;

    Skipping(ChildLimits limits, World world) {
        this.limits = limits;
        this.world = world;
    }

    boolean isTooMuch(long skipped) {
        if (skipped == 0) {
            isRunning = false;
            return false;
        }
        if (!isRunning) {
            isRunning = true;
            since = world.ticker().nanos();
        }
        long elapsed = world.ticker().nanos() - since;
        return skipped > limits.discardBytes() || elapsed > limits.discardTime().toNanos();
    }
}
