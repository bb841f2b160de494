package dev.fusebox.gateway.mcp;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Patience;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Whether the client and its server have shaken hands. What is sent before has to wait: the server must hear the
/// handshake first. Thread-safe; only [#await] blocks.
final class Greeting {
    private final World world;
    private final AtomicReference<@Nullable Arrival<Boolean>> current = new AtomicReference<>();

    Greeting(World world) {
        this.world = world;
    }

    /// The client begins; again after one that failed.
    void begin() {
        Arrival<Boolean> known = current.get();
        if (known == null || Boolean.FALSE.equals(known.now())) {
            current.compareAndSet(known, new Arrival<>());
        }
    }

    void end(boolean success) {
        Arrival<Boolean> known = current.get();
        if (known != null) {
            known.bring(success);
        }
    }

    /// Waits for a handshake that is on its way; says whether there has been one.
    boolean await(Patience patience) {
        Arrival<Boolean> known = current.get();
        if (known == null) {
            return false;
        }
        Boolean success = known.now();
        try {
            success = success != null ? success : known.await(world, Duration.ofNanos(Math.max(1, patience.left())));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return Boolean.TRUE.equals(success);
    }
}
