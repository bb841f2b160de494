package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SpawnedProcess;
import dev.fusebox.platform.SpawnedProcess.Ended;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// One running server process with all that comes from it. Thread-safe; only [#exit] and [#awaitGone] block.
///
/// Three platform threads with small stacks belong to it: one reads its output and calls the listener, one drains
/// its errors, one writes what its pipe did not take at once and watches for its end. None outlives the process.
public final class ChildProcess {
    private final SpawnedProcess process;
    private final StdinWriter stdinWriter;
    private final StdoutReader stdoutReader;
    private final ExitCollector exitCollector;
    private final Termination termination;
    private final DelayedTermination delayedTermination;

    ChildProcess(
            Pipes pipes,
            StdoutReader stdoutReader,
            ExitCollector exitCollector,
            DelayedTermination delayedTermination) {
        this.process = pipes.process();
        this.stdinWriter = pipes.stdinWriter();
        this.stdoutReader = stdoutReader;
        this.exitCollector = exitCollector;
        this.termination = exitCollector.termination();
        this.delayedTermination = delayedTermination;
    }

    /// The process, and what it is sent.
    record Pipes(SpawnedProcess process, StdinWriter stdinWriter) {}

    public long pid() {
        return process.pid();
    }

    /// Sends a frame and a line end after it. False, and nothing sent, if the child will not read it or more would
    /// be waiting than the limit. The frame must not hold a line end, and must not be changed afterwards.
    public boolean send(byte[] frame) {
        return stdinWriter.send(frame);
    }

    /// Begins to end the child and its whole tree: within 1.55 s politely, then by SIGKILL. Safe to call again. A
    /// child that has not sent a message yet has the time of [ChildProcesses#lettingFinish] before that.
    public void stop() {
        exitCollector.stopping();
        stdinWriter.close();
        delayedTermination.begin();
    }

    /// Whether it runs and has not sent a message yet.
    public boolean isSilent() {
        return delayedTermination.isUnderWay();
    }

    /// It has gone.
    void over() {
        delayedTermination.over();
    }

    /// Ends the whole tree by SIGKILL at once.
    public void kill() {
        exitCollector.stopping();
        stdinWriter.close();
        termination.hurry();
    }

    /// Waits until the child is of no use any more, which may be before its tree has gone; empty if it still is.
    public Optional<ChildExit> exit(Duration limit) throws InterruptedException {
        return exitCollector.await(limit);
    }

    /// Waits until nothing of the tree is left; false if something still is.
    public boolean awaitGone(Duration limit) throws InterruptedException {
        return termination.awaitGone(limit);
    }

    /// The last lines of its errors, as they are now: at most `lines`, and `bytes` of UTF-8 together.
    public List<String> stderrTail(int lines, int bytes) {
        return stdoutReader.errors().tail(lines, bytes);
    }

    /// False if there are no threads or memory left for it.
    boolean startReading(long number) {
        try {
            ChildThreads.unstarted(number, "out", () -> stdoutReader.readOutput(exitCollector::outputLost))
                    .start();
        } catch (OutOfMemoryError e) {
            process.closeOut();
            process.closeErr();
            return false;
        }
        try {
            ChildThreads.unstarted(number, "err", stdoutReader::readErrors).start();
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
            var stuck = new WriteStallTimer(limits.stuckWrite(), exitCollector.platform());
            while (!isOver) {
                boolean waits = stdinWriter.isWaiting();
                isOver = process.await(waits, stuck.left(waits, stdinWriter.progress()));
                stdinWriter.continueWriting();
                if (stuck.isOver(stdinWriter.progress())) {
                    exitCollector.end(ChildExit.Cause.STUCK);
                }
                isOver = isOver || (stdinWriter.isBroken() && endsWithItsInput());
            }
            Ended ended = process.ended();
            exitCollector.processEnded(ended);
        } catch (RuntimeException | Error ours) {
            // Nobody else would see how it ends.
            exitCollector.end(ChildExit.Cause.READER_FAILED);
            throw ours;
        } finally {
            process.closeWatch();
        }
    }

    /// True if the process has ended, too; if not, it will hear nothing more and is of no use.
    private boolean endsWithItsInput() {
        Platform platform = exitCollector.platform();
        long begin = platform.ticker().nanos();
        long left = ExitCollector.CLOSED_BEFORE_ENDED.toNanos();
        while (left > 0) {
            if (process.await(false, left)) {
                return true;
            }
            left = ExitCollector.CLOSED_BEFORE_ENDED.toNanos()
                    - (platform.ticker().nanos() - begin);
        }
        exitCollector.end(ChildExit.Cause.INPUT_CLOSED);
        return false;
    }

    @Override
    public String toString() {
        return "ChildProcess[" + pid() + "]";
    }
}
