package dev.fusebox.client.resilience;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A call in the queue of a turnstile, which guards it; only what became of it is read without.
final class QueuedCall extends LinkedNode {
    private final Thread thread = Thread.currentThread();
    private final RoundRobinQueue.Line line;
    private final FairBulkhead.Place place;

    /// Both are written under the monitor of the turnstile and read by the thread that waits.
    private volatile boolean granted;

    private volatile boolean turnedAway;

    private @Nullable QueuedCall alsoSettled;

    /// @param place made before it is granted: where memory or the stack ends, none may be lost
    QueuedCall(RoundRobinQueue.Line line, FairBulkhead.Place place) {
        this.line = line;
        this.place = place;
    }

    RoundRobinQueue.Line line() {
        return line;
    }

    FairBulkhead.Place place() {
        return place;
    }

    boolean isGranted() {
        return granted;
    }

    /// @param others those that were let in at the same moment, as a chain
    QueuedCall grant(@Nullable QueuedCall others) {
        alsoSettled = others;
        granted = true;
        return this;
    }

    /// @param others those that were sent away at the same moment, as a chain
    QueuedCall turnAway(@Nullable QueuedCall others) {
        alsoSettled = others;
        turnedAway = true;
        return this;
    }

    /// Whether there is nothing more to wait for: a place was granted, or there is none to be had.
    boolean isSettled() {
        return granted || turnedAway;
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    /// Wakes a chain of them. Their turnstile has let go of them, so nobody else changes it any more.
    static void wakeAll(@Nullable QueuedCall settled) {
        for (QueuedCall next = settled; next != null; next = next.alsoSettled) {
            next.wake();
        }
    }
}
