package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Lets so many starts run at once, the others in the order in which they came. Thread-safe; [#enter] blocks.
final class StartLimiter {
    private final Platform platform;
    private final Deque<CompletionSignal> queue = new ArrayDeque<>();
    private int free;

    StartLimiter(Platform platform, int places) {
        this.platform = platform;
        this.free = places;
    }

    /// False if no place became free in time. Whoever gets true calls [#leave].
    boolean enter(Duration limit) throws InterruptedException {
        var turn = new CompletionSignal(platform);
        if (isAdmitted(turn)) {
            return true;
        }
        boolean isMine = false;
        try {
            isMine = turn.await(limit);
        } finally {
            // A place that came too late, or to somebody who was interrupted, goes to the next one.
            if (!isMine && !giveUp(turn)) {
                leave();
            }
        }
        return isMine;
    }

    private synchronized boolean isAdmitted(CompletionSignal turn) {
        if (free > 0) {
            free--;
            return true;
        }
        queue.addLast(turn);
        return false;
    }

    private synchronized boolean giveUp(CompletionSignal turn) {
        return queue.remove(turn);
    }

    void leave() {
        CompletionSignal next = next();
        if (next != null) {
            next.reach();
        }
    }

    private synchronized @Nullable CompletionSignal next() {
        CompletionSignal next = queue.pollFirst();
        if (next == null) {
            free++;
        }
        return next;
    }
}
