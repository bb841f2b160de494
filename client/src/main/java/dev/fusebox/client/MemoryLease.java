package dev.fusebox.client;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The share of [ResponseMemory] that one call of a client holds until the client has its answer. The thread
/// that makes the call opens it, and readers of the answer find it as the [#current] one of that thread.
/// Thread-safe; only [#await] blocks.
public final class MemoryLease implements AutoCloseable {
    /// Nearly all answers are shorter than this, and need no lease.
    public static final int FREE = 64 << 10;

    /// Memory is released with each answer that is delivered; few clients take longer than this.
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /// How often a waiting lease looks whether its client is still connected.
    private static final Duration LOOK = Duration.ofMillis(100);

    private static final ThreadLocal<MemoryLease> CURRENT = new ThreadLocal<>();

    private final ResponseMemory room;
    private final Platform platform;
    private final Deadline deadline;
    private long held;
    private boolean isOver;
    private @Nullable MemoryLease outer;

    MemoryLease(Platform platform, ResponseMemory room, Deadline deadline) {
        this.platform = platform;
        this.room = room;
        this.deadline = deadline;
    }

    /// Makes a lease the current one of this thread, which also closes it.
    ///
    /// @param deadline of the call; the lease waits no longer than that for memory
    public static MemoryLease open(Platform platform, Deadline deadline) {
        MemoryLease lease = new MemoryLease(platform, ResponseMemory.OF_PROCESS, deadline);
        lease.outer = CURRENT.get();
        CURRENT.set(lease);
        return lease;
    }

    /// The lease of the call that this thread makes; null if there is none, as for requests of the gateway
    /// itself.
    public static @Nullable MemoryLease current() {
        return CURRENT.get();
    }

    /// Takes this many more bytes without waiting; false if they are not available.
    public boolean take(long bytes) {
        return noted(bytes, room.take(this, bytes));
    }

    /// Takes this many more bytes, and waits until they are available; false if they do not become available in
    /// time.
    public boolean await(long bytes) {
        long begun = platform.ticker().nanos();
        try {
            boolean isTaken = room.take(this, bytes);
            while (!isTaken && deadline.left() > 0 && platform.ticker().nanos() - begun < LONGEST.toNanos()) {
                isTaken = room.await(this, bytes, platform, LOOK);
            }
            return noted(bytes, isTaken);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Bytes that arrive after the end of the call are discarded by their reader.
    private boolean noted(long bytes, boolean isTaken) {
        boolean isLate;
        synchronized (this) {
            isLate = isOver;
            held += isTaken && !isLate ? bytes : 0;
        }
        if (isTaken && isLate) {
            room.release(this, bytes);
        }
        return isTaken;
    }

    /// Releases the memory: the client has its answer.
    @Override
    public void close() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
        end();
    }

    void end() {
        long all;
        synchronized (this) {
            isOver = true;
            all = held;
        }
        if (all > 0) {
            room.release(this, all);
        }
    }
}
