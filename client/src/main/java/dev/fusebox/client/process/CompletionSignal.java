package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/// One-shot signal that any number of threads can await. Thread-safe; only [#await] and [#awaitUninterrupted]
/// block.
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

    /// For internal threads, which are never interrupted on purpose.
    boolean awaitUninterrupted(Duration limit) {
        try {
            return await(limit);
        } catch (InterruptedException e) {
            return isReached;
        }
    }
}
