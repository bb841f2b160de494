package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.world.World;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Waits for something that tells nobody when it happens.
final class Poll {
    private static final int MOST = 4_000;

    private Poll() {}

    static void until(BooleanSupplier ready) throws InterruptedException {
        World world = World.system();
        for (int i = 0; i < MOST && !ready.getAsBoolean(); i++) {
            world.pause(Duration.ofMillis(5));
        }
        assertThat(ready.getAsBoolean()).as("within 20 s").isTrue();
    }
}
