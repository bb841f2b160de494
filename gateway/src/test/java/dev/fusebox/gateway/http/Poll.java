package dev.fusebox.gateway.http;

import dev.fusebox.world.World;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Waits for what nobody announces.
final class Poll {
    private static final Duration STEP = Duration.ofMillis(1);

    private Poll() {}

    /// Asks again and again, at most for that long; tells whether it came true.
    static boolean until(Duration bound, BooleanSupplier condition) throws InterruptedException {
        World world = World.system();
        long start = world.ticker().nanos();
        while (!condition.getAsBoolean()) {
            if (world.ticker().nanos() - start > bound.toNanos()) {
                return condition.getAsBoolean();
            }
            world.pause(STEP);
        }
        return true;
    }
}
