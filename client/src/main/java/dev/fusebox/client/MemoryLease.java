package dev.fusebox.client;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What one call of a client has of an [ResponseMemory], until the client has its answer. Whoever serves a client
/// works [#during] one, and whoever reads an answer for it finds it as the [#current] one of its thread.
/// Thread-safe; only [#await] blocks.
public final class MemoryLease {
    /// Answers are short, nearly always: those that are cost nothing here.
    public static final int FREE = 64 << 10;

    /// Room comes with the next answer that has gone out, and few clients are slower than that.
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /// So often we look whether the client is still there.
    private static final Duration LOOK = Duration.ofMillis(100);

    private static final ScopedValue<MemoryLease> CURRENT = ScopedValue.newInstance();

    private final ResponseMemory room;
    private final Platform platform;
    private final Deadline deadline;
    private long held;
    private boolean isOver;

    MemoryLease(Platform platform, ResponseMemory room, Deadline deadline) {
        this.platform = platform;
        this.room = room;
        this.deadline = deadline;
    }

    /// Serves a client. What its answer has taken is free again when that returns.
    ///
    /// @param deadline of the client, which is not waited for any longer than that
    public static void during(Platform platform, Deadline deadline, Runnable work) {
        MemoryLease memoryLease = new MemoryLease(platform, ResponseMemory.OF_PROCESS, deadline);
        try {
            ScopedValue.where(CURRENT, memoryLease).run(work);
        } finally {
            memoryLease.end();
        }
    }

    /// That of the client that this thread works for; null if there is none, as for what only we ask.
    public static @Nullable MemoryLease current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    /// Takes so many bytes more, for a thread that may not wait; false if there are none.
    public boolean take(long bytes) {
        return noted(bytes, room.take(this, bytes));
    }

    /// The same for a thread that can wait for others to be done.
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

    /// What comes when the call is over is thrown away by whoever reads it.
    private boolean noted(long bytes, boolean isTaken) {
        boolean isLate;
        synchronized (this) {
            isLate = isOver;
            held += isTaken && !isLate ? bytes : 0;
        }
        if (isTaken && isLate) {
            room.give(this, bytes);
        }
        return isTaken;
    }

    /// The client has its answer.
    void end() {
        long all;
        synchronized (this) {
            isOver = true;
            all = held;
        }
        if (all > 0) {
            room.give(this, all);
        }
    }
}
