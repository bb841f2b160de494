package dev.fusebox.client;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A value that one thread brings and any number wait for. Thread-safe; only [#await] blocks, for as long as
/// asked.
public final class Promise<T> {
    private final AtomicReference<@Nullable T> value = new AtomicReference<>();
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();

    public Promise() {
        // Nothing has come yet.
    }

    /// Brings the value; false if there is one already.
    public boolean bring(T brought) {
        boolean first = value.compareAndSet(null, brought);
        waiting.forEach(LockSupport::unpark);
        return first;
    }

    /// The value; null if it has not come.
    public @Nullable T now() {
        return value.get();
    }

    /// The value; null if it does not come in time.
    public @Nullable T await(Platform platform, Duration limit) throws InterruptedException {
        return await(platform, limit, () -> false);
    }

    /// The same for somebody who may lose interest: then whoever says so unparks the thread.
    public @Nullable T await(Platform platform, Duration limit, BooleanSupplier indifferent)
            throws InterruptedException {
        Thread self = Thread.currentThread();
        waiting.add(self);
        try {
            platform.await(limit, () -> value.get() != null || indifferent.getAsBoolean());
        } finally {
            waiting.remove(self);
        }
        return value.get();
    }
}
