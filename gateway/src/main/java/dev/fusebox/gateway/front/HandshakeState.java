package dev.fusebox.gateway.front;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.platform.Platform;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Whether the client and its server have shaken hands. What is sent before has to wait: the server must hear the
/// handshake first. Thread-safe; only [#await] blocks.
final class HandshakeState {
    private final Platform platform;
    private final AtomicReference<@Nullable Promise<Boolean>> current = new AtomicReference<>();

    HandshakeState(Platform platform) {
        this.platform = platform;
    }

    /// The client begins; again after one that failed.
    void begin() {
        Promise<Boolean> known = current.get();
        if (known == null || Boolean.FALSE.equals(known.now())) {
            current.compareAndSet(known, new Promise<>());
        }
    }

    void end(boolean success) {
        Promise<Boolean> known = current.get();
        if (known != null) {
            known.bring(success);
        }
    }

    /// Waits for a handshake that is on its way, for as long as the caller has patience.
    State await(Deadline deadline) {
        Promise<Boolean> known = current.get();
        if (known == null) {
            return State.MISSING;
        }
        Boolean success = known.now();
        try {
            success = success != null ? success : deadline.await(known, platform);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        if (success == null) {
            return State.UNDER_WAY;
        }
        return success ? State.DONE : State.MISSING;
    }

    /// How far the handshake is.
    enum State {
        /// Nobody has begun one, or it failed.
        MISSING,
        UNDER_WAY,
        DONE
    }
}
