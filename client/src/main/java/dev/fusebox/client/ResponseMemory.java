package dev.fusebox.client;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// How much of the memory the long answers of servers may take together, until they are with their clients. Only
/// [#await] blocks; thread-safe.
///
/// When it is full, one call may have more than there is, so that of many that wait for each other one gets on.
final class ResponseMemory {
    /// The memory is one for the whole process, and so is this. An eighth, since an answer is copied on its way.
    static final ResponseMemory OF_PROCESS =
            new ResponseMemory(Math.max(16 << 20, Runtime.getRuntime().maxMemory() / 8));

    private final long most;
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private long taken;
    private @Nullable MemoryLease favoured;

    ResponseMemory(long most) {
        this.most = most;
    }

    /// Whoever gets true gives them back.
    @SuppressWarnings("ReferenceEquality") // rations have no value
    synchronized boolean take(MemoryLease memoryLease, long bytes) {
        boolean isFull = taken + bytes > most;
        if (isFull && favoured != null && favoured != memoryLease) {
            return false;
        }
        favoured = isFull ? memoryLease : favoured;
        taken += bytes;
        return true;
    }

    /// Waits until there is room, for so long at most.
    boolean await(MemoryLease memoryLease, long bytes, Platform platform, Duration limit) throws InterruptedException {
        if (take(memoryLease, bytes)) {
            return true;
        }
        Thread self = Thread.currentThread();
        waiting.add(self);
        try {
            return platform.await(limit, () -> take(memoryLease, bytes));
        } finally {
            waiting.remove(self);
        }
    }

    @SuppressWarnings("ReferenceEquality") // rations have no value
    void give(MemoryLease memoryLease, long bytes) {
        synchronized (this) {
            taken -= bytes;
            favoured = favoured == memoryLease || taken <= most ? null : favoured;
        }
        waiting.forEach(LockSupport::unpark);
    }
}
