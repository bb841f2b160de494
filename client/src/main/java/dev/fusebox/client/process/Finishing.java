package dev.fusebox.client.process;

import dev.fusebox.world.Spawned;
import dev.fusebox.world.Threads;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// Begins to end one child, and first lets it finish what it does before it can speak. Thread-safe; nothing blocks.
///
/// A package runner that is ended in the middle of an installation leaves an incomplete one, which makes all later
/// starts fail. One that has nothing more to read finishes the installation and starts the server, which ends with its
/// input.
///
/// ```
/// input closed --first message, end, or the limit--> ladder
/// ```
final class Finishing {
    private final Spawned process;
    private final Ladder ladder;
    private final Duration limit;
    private final Milestone decided;
    private final AtomicBoolean isBegun = new AtomicBoolean();

    /// @param limit how long a child that has not sent a message may take to end by itself
    Finishing(World world, Spawned process, Ladder ladder, Duration limit) {
        this.process = process;
        this.ladder = ladder;
        this.limit = limit;
        this.decided = new Milestone(world);
    }

    /// Ends the child; does nothing the second time.
    void begin() {
        if (!limit.isPositive() || decided.isReached()) {
            ladder.start();
        } else if (isBegun.compareAndSet(false, true)) {
            process.closeIn();
            Threads.start("fusebox-finishing-" + process.pid(), this::run, ladder::start);
        }
    }

    private void run() {
        try {
            decided.awaitUninterrupted(limit);
        } finally {
            ladder.start();
        }
    }

    /// The child has sent a message, or it has gone: there is nothing to finish any more.
    void over() {
        decided.reach();
    }

    /// Whether the child may still be doing what comes before its first message.
    boolean isUnderWay() {
        return !decided.isReached() && process.ended() == null;
    }
}
