package dev.fusebox.gateway.front;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.platform.Platform;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The state of the handshake between a client and its server. Messages sent earlier have to wait, because the
/// server must receive the handshake first. Thread-safe; only [#await] blocks.
final class HandshakeState {
    private final Platform platform;
    private final AtomicReference<@Nullable Promise<Boolean>> current = new AtomicReference<>();

    HandshakeState(Platform platform) {
        this.platform = platform;
    }

    /// The client begins a handshake, perhaps after a failed one.
    void begin() {
        Promise<Boolean> known = current.get();
        if (known == null || Boolean.FALSE.equals(known.now())) {
            current.compareAndSet(known, new Promise<>());
        }
    }

    void end(boolean success) {
        Promise<Boolean> known = current.get();
        if (known != null) {
            known.complete(success);
        }
    }

    /// Waits for a handshake in progress, until the caller's deadline at most.
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

    /// The progress of the handshake.
    enum State {
        /// None has begun, or it failed.
        MISSING,
        UNDER_WAY,
        DONE
    }
}
