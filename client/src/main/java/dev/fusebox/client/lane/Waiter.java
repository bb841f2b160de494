package dev.fusebox.client.lane;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A call in the queue of a turnstile, which guards it; only `granted` is read without.
final class Waiter extends Link {
    private final Thread thread = Thread.currentThread();
    private final Turns.Line line;
    private final Turnstile.Place place;

    /// Written under the monitor of the turnstile, read by the thread that waits.
    private volatile boolean granted;

    private @Nullable Waiter alsoGranted;

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
        alsoGranted = others;
        granted = true;
        return this;
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    /// Wakes a chain of them. Their turnstile has let go of them, so nobody else changes it any more.
    static void wakeAll(@Nullable Waiter granted) {
        for (Waiter next = granted; next != null; next = next.alsoGranted) {
            next.wake();
        }
    }
}
