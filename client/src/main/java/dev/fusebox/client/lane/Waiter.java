package dev.fusebox.client.lane;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A call in the queue of a turnstile, which guards it; only what became of it is read without.
final class Waiter extends Link {
    private final Thread thread = Thread.currentThread();
    private final Turns.Line line;
    private final Turnstile.Place place;

    /// Both are written under the monitor of the turnstile and read by the thread that waits.
    private volatile boolean granted;

    private volatile boolean turnedAway;

    private @Nullable Waiter alsoSettled;

    /// @param place made before it is granted: where memory or the stack ends, none may be lost
    Waiter(Turns.Line line, Turnstile.Place place) {
        this.line = line;
        this.place = place;
    }

    Turns.Line line() {
        return line;
    }

    Turnstile.Place place() {
        return place;
    }

    boolean isGranted() {
        return granted;
    }

    /// @param others those that were let in at the same moment, as a chain
    Waiter grant(@Nullable Waiter others) {
        alsoSettled = others;
        granted = true;
        return this;
    }

    /// @param others those that were sent away at the same moment, as a chain
    Waiter turnAway(@Nullable Waiter others) {
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
    static void wakeAll(@Nullable Waiter settled) {
        for (Waiter next = settled; next != null; next = next.alsoSettled) {
            next.wake();
        }
    }
}
