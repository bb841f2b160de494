package dev.fusebox.client;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Value that is set once by one thread and awaited by any number. Thread-safe; only [#await] blocks, up to the
/// given limit.
public final class Promise<T> {
    private final AtomicReference<@Nullable T> value = new AtomicReference<>();
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();

    public Promise() {
        // Not set yet.
    }

    /// Sets the value; false if it is set already.
    public boolean complete(T newValue) {
        boolean first = value.compareAndSet(null, newValue);
        waiting.forEach(LockSupport::unpark);
        return first;
    }

    /// The value; null if it is not set yet.
    public @Nullable T now() {
        return value.get();
    }

    /// The value; null if it is not set in time.
    public @Nullable T await(Platform platform, Duration limit) throws InterruptedException {
        return await(platform, limit, () -> false);
    }

    /// The same for a cancellable wait: the thread that cancels it must unpark the waiting one.
    public @Nullable T await(Platform platform, Duration limit, BooleanSupplier cancelled) throws InterruptedException {
        Thread self = Thread.currentThread();
        waiting.add(self);
        try {
            platform.await(limit, () -> value.get() != null || cancelled.getAsBoolean());
        } finally {
            waiting.remove(self);
        }
        return value.get();
    }
}
