package dev.fusebox.client.process;

import dev.fusebox.world.World;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Lets so many starts run at once, the others in the order in which they came. Thread-safe; [#enter] blocks.
final class StartGate {
    private final World world;
    private final Deque<Milestone> queue = new ArrayDeque<>();
    private int free;

    StartGate(World world, int places) {
        this.world = world;
        this.free = places;
    }

    /// False if no place became free in time. Whoever gets true calls [#leave].
    boolean enter(Duration limit) throws InterruptedException {
        var turn = new Milestone(world);
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

    private synchronized boolean isAdmitted(Milestone turn) {
        if (free > 0) {
            free--;
            return true;
        }
        queue.addLast(turn);
        return false;
    }

    private synchronized boolean giveUp(Milestone turn) {
        return queue.remove(turn);
    }

    void leave() {
        Milestone next = next();
        if (next != null) {
            next.reach();
        }
    }

    private synchronized @Nullable Milestone next() {
        Milestone next = queue.pollFirst();
        if (next == null) {
            free++;
        }
        return next;
    }
}
