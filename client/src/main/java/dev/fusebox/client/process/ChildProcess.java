package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SpawnedProcess;
import dev.fusebox.platform.SpawnedProcess.Ended;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Running server process with its pipes. Thread-safe; only [#exit] and [#awaitGone] block.
///
/// It has three platform threads with small stacks: one reads stdout and calls the listener, one drains stderr,
/// one writes what the stdin pipe did not take at once and waits for the exit. None outlives the process.
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

    /// The process and the writer of its stdin.
    record Pipes(SpawnedProcess process, StdinWriter stdinWriter) {}

    public long pid() {
        return process.pid();
    }

    /// Sends a frame and a line end after it. False, and nothing sent, if the child no longer reads, or the queue
    /// would exceed its limit. The frame must not contain a line end, and must not be changed afterwards.
    public boolean send(byte[] frame) {
        return stdinWriter.send(frame);
    }

    /// Begins to terminate the child and its whole process tree: SIGTERM within 1.55 s, then SIGKILL. Idempotent.
    /// A child that has not sent a message yet first gets the time of [ChildProcesses#startupGrace(Duration)].
    public void stop() {
        exitCollector.stopping();
        stdinWriter.close();
        delayedTermination.begin();
    }

    /// Whether it runs and has not sent a message yet.
    public boolean isSilent() {
        return delayedTermination.isUnderWay();
    }

    /// Its process tree has ended.
    void gone() {
        delayedTermination.finished();
    }

    /// Kills the whole process tree by SIGKILL at once.
    public void kill() {
        exitCollector.stopping();
        stdinWriter.close();
        termination.killNow();
    }

    /// Waits until the child is no longer usable, which may be before its tree has ended; empty if it still is.
    public Optional<ChildExit> exit(Duration limit) throws InterruptedException {
        return exitCollector.await(limit);
    }

    /// Waits until no process of the tree is left; false if there still is one.
    public boolean awaitGone(Duration limit) throws InterruptedException {
        return termination.awaitGone(limit);
    }

    /// The last lines of its stderr so far: at most `lines`, and `bytes` of UTF-8 together.
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

    /// Runs on the thread of the child until the process exits.
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
            // No other thread waits for the exit.
            exitCollector.end(ChildExit.Cause.READER_FAILED);
            throw ours;
        } finally {
            process.closeWatch();
        }
    }

    /// True if the process has exited as well; if not, it can receive nothing more and is no longer usable.
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
