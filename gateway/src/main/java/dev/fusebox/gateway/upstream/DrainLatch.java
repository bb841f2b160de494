package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Promise;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// A counting latch for draining: counts calls in progress and can be closed once, after which no more may
/// enter. Thread-safe; only [#awaitEmpty] blocks.
final class DrainLatch {
    /// The sign bit; the other bits are the count.
    private static final int CLOSED = Integer.MIN_VALUE;

    private final AtomicInteger state = new AtomicInteger();
    private final Promise<Boolean> empty = new Promise<>();

    /// Enters if the latch is open. After true the caller must call [#leave].
    boolean enter() {
        int before = state.getAndUpdate(now -> now < 0 ? now : now + 1);
        return before >= 0;
    }

    void leave() {
        if (state.decrementAndGet() == CLOSED) {
            empty.complete(true);
        }
    }

    void close() {
        if (state.getAndUpdate(now -> now | CLOSED) == 0) {
            empty.complete(true);
        }
    }

    boolean isClosed() {
        return state.get() < 0;
    }

    int inFlight() {
        return state.get() & ~CLOSED;
    }

    /// Waits until all have left a closed latch; false if that takes longer than the limit.
    boolean awaitEmpty(Platform platform, Duration limit) throws InterruptedException {
        return empty.await(platform, limit) != null;
    }
}
