package dev.fusebox.gateway.mcp;

import dev.fusebox.world.World;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Waits for things that wake nobody. Thread-safe; blocks the calling thread for as long as asked at most.
final class Waiting {
    private static final Duration LOOK = Duration.ofMillis(5);

    private Waiting() {}

    /// Looks every few milliseconds, for at most so long; says whether it came true.
    static boolean until(World world, Duration limit, BooleanSupplier done) throws InterruptedException {
        long begun = world.ticker().nanos();
        while (!done.getAsBoolean()) {
            if (world.ticker().nanos() - begun >= limit.toNanos()) {
                return false;
            }
            world.pause(LOOK);
        }
        return true;
    }
}
