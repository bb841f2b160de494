package dev.fusebox.gateway.http;

import java.util.concurrent.atomic.AtomicLong;

/// How many bytes the bodies of all requests may have together, while they are read and worked on. Thread-safe; nothing
/// blocks.
final class BodyRoom {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    BodyRoom(long most) {
        this.most = most;
    }

    /// Whoever gets true gives them back once.
    boolean take(int bytes) {
        boolean fits = taken.addAndGet(bytes) <= most;
        if (!fits) {
            taken.addAndGet(-bytes);
        }
        return fits;
    }

    void give(int bytes) {
        taken.addAndGet(-bytes);
    }
}
