package dev.fusebox.client.resilience;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A call in the queue of a bulkhead, whose monitor guards it; only its result is read without the monitor.
final class QueuedCall extends LinkedNode {
    private final Thread thread = Thread.currentThread();
    private final RoundRobinQueue.ClientQueue clientQueue;
    private final FairBulkhead.Slot slot;

    /// Both are written under the monitor of the bulkhead and read by the waiting thread.
    private volatile boolean granted;

    private volatile boolean turnedAway;

    private @Nullable QueuedCall alsoSettled;

    /// @param slot created before it is granted: if memory or the stack is exhausted, no place may be lost
    QueuedCall(RoundRobinQueue.ClientQueue clientQueue, FairBulkhead.Slot slot) {
        this.clientQueue = clientQueue;
        this.slot = slot;
    }

    RoundRobinQueue.ClientQueue clientQueue() {
        return clientQueue;
    }

    FairBulkhead.Slot slot() {
        return slot;
    }

    boolean isGranted() {
        return granted;
    }

    /// @param others calls that were admitted at the same moment, as a chain
    QueuedCall grant(@Nullable QueuedCall others) {
        alsoSettled = others;
        granted = true;
        return this;
    }

    /// @param others calls that were refused at the same moment, as a chain
    QueuedCall reject(@Nullable QueuedCall others) {
        alsoSettled = others;
        turnedAway = true;
        return this;
    }

    /// Whether the wait is over: a place was granted or refused.
    boolean isSettled() {
        return granted || turnedAway;
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    /// Wakes a chain of them. They have left the queue, so no other thread changes the chain any more.
    static void wakeAll(@Nullable QueuedCall settled) {
        for (QueuedCall next = settled; next != null; next = next.alsoSettled) {
            next.wake();
        }
    }
}
