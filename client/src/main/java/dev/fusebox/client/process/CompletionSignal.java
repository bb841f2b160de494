package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/// Something that happens once and is waited for. Thread-safe; only [#await] blocks.
final class CompletionSignal {
    private final Platform platform;
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean isReached;

    CompletionSignal(Platform platform) {
        this.platform = platform;
    }

    boolean isReached() {
        return isReached;
    }

    void reach() {
        isReached = true;
        waiting.forEach(LockSupport::unpark);
    }

    boolean await(Duration limit) throws InterruptedException {
        if (isReached) {
            return true;
        }
        waiting.add(Thread.currentThread());
        try {
            return platform.await(limit, this::isReached);
        } finally {
            waiting.remove(Thread.currentThread());
        }
    }

    /// For threads of our own, which nobody interrupts to any purpose.
    boolean awaitUninterrupted(Duration limit) {
        try {
            return await(limit);
        } catch (InterruptedException e) {
            return isReached;
        }
    }
}
