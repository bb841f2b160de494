package dev.fusebox.client;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Limit of the memory that large responses may take together, until they are passed on to their clients.
/// Thread-safe; only [#await] blocks.
///
/// When it is full, one call may exceed the limit, so that one of several calls that wait for each other can make
/// progress.
final class ResponseMemory {
    /// One for the whole process, like the memory itself. An eighth of the heap, since a response is copied on its
    /// way.
    static final ResponseMemory OF_PROCESS =
            new ResponseMemory(Math.max(16 << 20, Runtime.getRuntime().maxMemory() / 8));

    private final long capacity;
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private long taken;
    private @Nullable MemoryLease exempt;

    ResponseMemory(long capacity) {
        this.capacity = capacity;
    }

    /// Reserves memory; a caller that gets true must release it.
    @SuppressWarnings("ReferenceEquality") // leases are compared by identity
    synchronized boolean take(MemoryLease memoryLease, long bytes) {
        boolean isFull = taken + bytes > capacity;
        if (isFull && exempt != null && exempt != memoryLease) {
            return false;
        }
        exempt = isFull ? memoryLease : exempt;
        taken += bytes;
        return true;
    }

    /// Waits for memory, up to the limit.
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

    @SuppressWarnings("ReferenceEquality") // leases are compared by identity
    void release(MemoryLease memoryLease, long bytes) {
        synchronized (this) {
            taken -= bytes;
            exempt = exempt == memoryLease || taken <= capacity ? null : exempt;
        }
        waiting.forEach(LockSupport::unpark);
    }
}
