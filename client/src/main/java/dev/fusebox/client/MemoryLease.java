package dev.fusebox.client;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Share of one client call in the [ResponseMemory], until the client has its response. It is bound to the thread of
/// the call with [#during], where readers of responses find it as [#current]. Thread-safe; only [#await] blocks.
public final class MemoryLease {
    /// Most responses are smaller than this, and those are not counted.
    public static final int FREE = 64 << 10;

    /// Memory is released with the next response that a client has read, and few clients are slower than this.
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    /// Interval of the checks whether the client still waits.
    private static final Duration POLL = Duration.ofMillis(100);

    private static final ScopedValue<MemoryLease> CURRENT = ScopedValue.newInstance();

    private final ResponseMemory memory;
    private final Platform platform;
    private final Deadline deadline;
    private long held;
    private boolean isEnded;

    MemoryLease(Platform platform, ResponseMemory memory, Deadline deadline) {
        this.platform = platform;
        this.memory = memory;
        this.deadline = deadline;
    }

    /// Runs the work for one client call. The memory of its response is released on return.
    ///
    /// @param deadline of the client
    public static void during(Platform platform, Deadline deadline, Runnable work) {
        MemoryLease memoryLease = new MemoryLease(platform, ResponseMemory.OF_PROCESS, deadline);
        try {
            ScopedValue.where(CURRENT, memoryLease).run(work);
        } finally {
            memoryLease.end();
        }
    }

    /// The lease of the call that this thread works for; null if there is none, as for requests of the gateway itself.
    public static @Nullable MemoryLease current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    /// Reserves more bytes, for a thread that must not wait; false if there is not enough memory.
    public boolean take(long bytes) {
        return recorded(bytes, memory.take(this, bytes));
    }

    /// The same for a thread that may wait until other calls release memory.
    public boolean await(long bytes) {
        long started = platform.ticker().nanos();
        try {
            boolean isTaken = memory.take(this, bytes);
            while (!isTaken && deadline.left() > 0 && platform.ticker().nanos() - started < MAX_WAIT.toNanos()) {
                isTaken = memory.await(this, bytes, platform, POLL);
            }
            return recorded(bytes, isTaken);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// A response that comes after the end of the call is discarded by its reader.
    private boolean recorded(long bytes, boolean isTaken) {
        boolean isLate;
        synchronized (this) {
            isLate = isEnded;
            held += isTaken && !isLate ? bytes : 0;
        }
        if (isTaken && isLate) {
            memory.release(this, bytes);
        }
        return isTaken;
    }

    /// Releases the memory: the client has its response.
    void end() {
        long all;
        synchronized (this) {
            isEnded = true;
            all = held;
        }
        if (all > 0) {
            memory.release(this, all);
        }
    }
}
