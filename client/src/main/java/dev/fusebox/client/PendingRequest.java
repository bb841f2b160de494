package dev.fusebox.client;

import dev.fusebox.platform.Timers;
import dev.fusebox.protocol.JsonView;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A request that waits for its answer. It ends once: by the answer, by its deadline, by the client, or with
/// the connection. Thread-safe; only [#await] blocks, on the thread that made the request.
final class PendingRequest {
    private final Thread waiting = Thread.currentThread();
    private final @Nullable MemoryLease memoryLease = MemoryLease.current();
    private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
    private final long id;
    private final Call call;
    private final @Nullable JsonView progressToken;

    PendingRequest(long id, Call call) {
        this.id = id;
        this.call = call;
        this.progressToken = call.progressToken();
    }

    long id() {
        return id;
    }

    Call call() {
        return call;
    }

    /// Whether an answer of this size may be held in memory.
    boolean hasRoomFor(int bytes) {
        return memoryLease == null || memoryLease.take(bytes);
    }

    /// The progress token of the client; null if it requested no progress.
    @Nullable
    JsonView progressToken() {
        return progressToken;
    }

    /// Ends the request unless it has ended.
    void end(Outcome with) {
        if (outcome.compareAndSet(null, with)) {
            wake();
        }
    }

    /// The outcome; null if the request has not ended.
    @Nullable
    Outcome now() {
        return outcome.get();
    }

    /// Waits for the outcome; null if the deadline passes first.
    @Nullable
    Outcome await(Timers timers) {
        call.deadline().onChange(this::wake);
        Outcome ended = outcome.get();
        while (ended == null) {
            long left = call.deadline().left();
            if (left <= 0) {
                return outcome.get();
            }
            timers.park(left);
            ended = outcome.get();
        }
        return ended;
    }

    /// Makes the waiting thread check again.
    void wake() {
        LockSupport.unpark(waiting);
    }
}
