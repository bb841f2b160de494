package dev.fusebox.client;

import dev.fusebox.platform.Timers;
import dev.fusebox.protocol.JsonView;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One request that waits for its answer. Ends once: by the answer, by its deadline, by the client, or with the
/// connection. Thread-safe; only [#await] blocks, on the thread that made the exchange.
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

    /// Whether a long answer of so many bytes may be held.
    boolean hasRoomFor(int bytes) {
        return memoryLease == null || memoryLease.take(bytes);
    }

    /// The token that the client gave; null if it wants no progress.
    @Nullable
    JsonView progressToken() {
        return progressToken;
    }

    /// Ends the exchange unless it has ended.
    void end(Outcome with) {
        if (outcome.compareAndSet(null, with)) {
            wake();
        }
    }

    /// How it has ended; null if it has not.
    @Nullable
    Outcome now() {
        return outcome.get();
    }

    /// Waits for the end; null if the caller's patience ends first.
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

    /// Has the waiting thread look again.
    void wake() {
        LockSupport.unpark(waiting);
    }
}
