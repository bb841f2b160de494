package dev.fusebox.client.process;

import dev.fusebox.world.Spawned;
import dev.fusebox.world.Spawned.Ended;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// One running server process with all that comes from it. Thread-safe; only [#exit] and [#awaitGone] block.
///
/// Three platform threads with small stacks belong to it: one reads its output and calls the listener, one drains its
/// errors, one writes what its pipe did not take at once and watches for its end. None outlives the process.
public final class Child {
    private final Spawned process;
    private final Feed feed;
    private final Reading reading;
    private final Ending ending;
    private final Ladder ladder;
    private final Finishing finishing;

    Child(Pipes pipes, Reading reading, Ending ending, Finishing finishing) {
        this.process = pipes.process();
        this.feed = pipes.feed();
        this.reading = reading;
        this.ending = ending;
        this.ladder = ending.ladder();
        this.finishing = finishing;
    }

    /// The process, and what it is sent.
    record Pipes(Spawned process, Feed feed) {}

    public long pid() {
        return process.pid();
    }

    /// Sends a frame and a line end after it. False, and nothing sent, if the child will not read it or more would be
    /// waiting than the limit. The frame must not hold a line end, and must not be changed afterwards.
    public boolean send(byte[] frame) {
        return feed.send(frame);
    }

    /// Begins to end the child and its whole tree: within 1.55 s politely, then by SIGKILL. Safe to call again. A child
    /// that has not sent a message yet has the time of [Children#lettingFinish] before that.
    public void stop() {
        ending.stopping();
        feed.close();
        finishing.begin();
    }

    /// Whether it runs and has not sent a message yet.
    public boolean isSilent() {
        return finishing.isUnderWay();
    }

    /// It has gone.
    void over() {
        finishing.over();
    }

    /// Ends the whole tree by SIGKILL at once.
    public void kill() {
        ending.stopping();
        feed.close();
        ladder.hurry();
    }

    /// Waits until the child is of no use any more, which may be before its tree has gone; empty if it still is.
    public Optional<Exit> exit(Duration limit) throws InterruptedException {
        return ending.await(limit);
    }

    /// Waits until nothing of the tree is left; false if something still is.
    public boolean awaitGone(Duration limit) throws InterruptedException {
        return ladder.awaitGone(limit);
    }

    /// The last lines of its errors, as they are now: at most `lines`, and `bytes` of UTF-8 together.
    public List<String> stderrTail(int lines, int bytes) {
        return reading.errors().tail(lines, bytes);
    }

    /// False if there are no threads or memory left for it.
    boolean startReading(long number) {
        try {
            ChildThreads.unstarted(number, "out", () -> reading.readOutput(ending::outputLost))
                    .start();
        } catch (OutOfMemoryError e) {
            process.closeOut();
            process.closeErr();
            return false;
        }
        try {
            ChildThreads.unstarted(number, "err", reading::readErrors).start();
            return true;
        } catch (OutOfMemoryError e) {
            process.closeErr();
            return false;
        }
    }

    /// What the watching thread does until the process ends.
    void watch(ChildLimits limits) {
        try {
            boolean isOver = false;
            var stuck = new StuckWrite(limits.stuckWrite(), ending.world());
            while (!isOver) {
                boolean waits = feed.isWaiting();
                isOver = process.await(waits, stuck.left(waits, feed.progress()));
                feed.continueWriting();
                if (stuck.isOver(feed.progress())) {
                    ending.end(Exit.Cause.STUCK);
                }
                isOver = isOver || (feed.isBroken() && endsWithItsInput());
            }
            Ended ended = process.ended();
            ending.processEnded(ended);
        } catch (RuntimeException | Error ours) {
            // Nobody else would see how it ends.
            ending.end(Exit.Cause.READER_FAILED);
            throw ours;
        } finally {
            process.closeWatch();
        }
    }

    /// True if the process has ended, too; if not, it will hear nothing more and is of no use.
    private boolean endsWithItsInput() {
        World world = ending.world();
        long begin = world.ticker().nanos();
        long left = Ending.CLOSED_BEFORE_ENDED.toNanos();
        while (left > 0) {
            if (process.await(false, left)) {
                return true;
            }
            left = Ending.CLOSED_BEFORE_ENDED.toNanos() - (world.ticker().nanos() - begin);
        }
        ending.end(Exit.Cause.INPUT_CLOSED);
        return false;
    }

    @Override
    public String toString() {
        return "Child[" + pid() + "]";
    }
}
