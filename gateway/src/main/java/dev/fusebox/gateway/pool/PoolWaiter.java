package dev.fusebox.gateway.pool;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A request that waits for a slot. Its result is written under the lock of the pool and read by the thread
/// that waits.
final class PoolWaiter {
    private final Thread thread = Thread.currentThread();
    private final Borrower borrower;
    private final Priority priority;
    private final Object client;
    private final long since;
    private volatile @Nullable PoolSlot slot;
    private volatile PoolSlots.@Nullable RequestResult dismissed;

    /// @param since by the monotonic clock
    PoolWaiter(Borrower borrower, Priority priority, long since) {
        this.borrower = borrower;
        this.priority = priority;
        this.client = borrower.client();
        this.since = since;
    }

    Borrower borrower() {
        return borrower;
    }

    Priority priority() {
        return priority;
    }

    Object client() {
        return client;
    }

    long since() {
        return since;
    }

    /// Null until a slot is assigned.
    @Nullable
    PoolSlot slot() {
        return slot;
    }

    void take(PoolSlot given) {
        slot = given;
    }

    /// Ends the wait without a slot.
    void dismiss(PoolSlots.RequestResult why) {
        dismissed = why;
    }

    /// Why the wait ended without a slot; `WAITS` while it continues.
    PoolSlots.RequestResult wish() {
        PoolSlots.RequestResult why = dismissed;
        return why == null ? PoolSlots.RequestResult.WAITS : why;
    }

    boolean isSettled() {
        return dismissed != null || slot != null;
    }

    void wake() {
        LockSupport.unpark(thread);
    }
}
