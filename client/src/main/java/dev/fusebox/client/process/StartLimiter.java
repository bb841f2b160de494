package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Semaphore that limits concurrent process starts, first come, first served. Thread-safe; [#acquire] blocks.
final class StartLimiter {
    private final Platform platform;
    private final Deque<CompletionSignal> queue = new ArrayDeque<>();
    private int free;

    StartLimiter(Platform platform, int permits) {
        this.platform = platform;
        this.free = permits;
    }

    /// False if no permit became free in time. A caller that gets true must call [#release].
    boolean acquire(Duration limit) throws InterruptedException {
        var turn = new CompletionSignal(platform);
        if (tryAcquire(turn)) {
            return true;
        }
        boolean isAcquired = false;
        try {
            isAcquired = turn.await(limit);
        } finally {
            // A permit that came too late, or to an interrupted thread, goes to the next one.
            if (!isAcquired && !leaveQueue(turn)) {
                release();
            }
        }
        return isAcquired;
    }

    private synchronized boolean tryAcquire(CompletionSignal turn) {
        if (free > 0) {
            free--;
            return true;
        }
        queue.addLast(turn);
        return false;
    }

    private synchronized boolean leaveQueue(CompletionSignal turn) {
        return queue.remove(turn);
    }

    void release() {
        CompletionSignal next = next();
        if (next != null) {
            next.reach();
        }
    }

    private synchronized @Nullable CompletionSignal next() {
        CompletionSignal next = queue.pollFirst();
        if (next == null) {
            free++;
        }
        return next;
    }
}
