package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Promise;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// Who is inside, and whether anybody more may come. Once closed it stays closed. Thread-safe; only [#awaitEmpty]
/// blocks.
final class DrainLatch {
    /// The sign bit; the other bits count.
    private static final int CLOSED = Integer.MIN_VALUE;

    private final AtomicInteger state = new AtomicInteger();
    private final Promise<Boolean> empty = new Promise<>();

    /// False if nobody may come any more. Whoever gets true calls [#leave].
    boolean enter() {
        int before = state.getAndUpdate(now -> now < 0 ? now : now + 1);
        return before >= 0;
    }

    void leave() {
        if (state.decrementAndGet() == CLOSED) {
            empty.bring(true);
        }
    }

    void close() {
        if (state.getAndUpdate(now -> now | CLOSED) == 0) {
            empty.bring(true);
        }
    }

    boolean isClosed() {
        return state.get() < 0;
    }

    int inside() {
        return state.get() & ~CLOSED;
    }

    /// Waits until a closed door has nobody behind it; false if that takes longer.
    boolean awaitEmpty(Platform platform, Duration limit) throws InterruptedException {
        return empty.await(platform, limit) != null;
    }
}
