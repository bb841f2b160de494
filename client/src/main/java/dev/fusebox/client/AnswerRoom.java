package dev.fusebox.client;

import dev.fusebox.world.World;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// How much of the memory the long answers of servers may take together, until they are with their clients. Only
/// [#await] blocks; thread-safe.
///
/// When it is full, one call may have more than there is, so that of many that wait for each other one gets on.
final class AnswerRoom {
    /// The memory is one for the whole process, and so is this. An eighth, since an answer is copied on its way.
    static final AnswerRoom OF_PROCESS =
            new AnswerRoom(Math.max(16 << 20, Runtime.getRuntime().maxMemory() / 8));

    private final long most;
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private long taken;
    private @Nullable Ration favoured;

    AnswerRoom(long most) {
        this.most = most;
    }

    /// Whoever gets true gives them back.
    @SuppressWarnings("ReferenceEquality") // rations have no value
    synchronized boolean take(Ration ration, long bytes) {
        boolean isFull = taken + bytes > most;
        if (isFull && favoured != null && favoured != ration) {
            return false;
        }
        favoured = isFull ? ration : favoured;
        taken += bytes;
        return true;
    }

    /// Waits until there is room, for so long at most.
    boolean await(Ration ration, long bytes, World world, Duration limit) throws InterruptedException {
        if (take(ration, bytes)) {
            return true;
        }
        Thread self = Thread.currentThread();
        waiting.add(self);
        try {
            return world.await(limit, () -> take(ration, bytes));
        } finally {
            waiting.remove(self);
        }
    }

    @SuppressWarnings("ReferenceEquality") // rations have no value
    void give(Ration ration, long bytes) {
        synchronized (this) {
            taken -= bytes;
            favoured = favoured == ration || taken <= most ? null : favoured;
        }
        waiting.forEach(LockSupport::unpark);
    }
}
