package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SpawnedProcess.Ended;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Collector that reduces the several ways in which a child may end to one [ChildExit]. Thread-safe; [#await] and
/// [#end] block.
///
/// ```
/// process exited -----------------------------.
/// a pipe closed, and the process lives on -----+--> last output (1 s at most) --> ChildExit, once --> listener
/// endless line, unread input, internal error --'    and, in any case, termination of the process tree
/// ```
final class ExitCollector {
    /// How long the last lines may take, which contain answers and the reason why the process exited. They are
    /// delivered within milliseconds unless the machine is busy.
    private static final Duration OUTPUT_LIMIT = Duration.ofSeconds(1);

    /// A process that exits closes its pipes a moment before its exit is visible.
    static final Duration CLOSED_BEFORE_ENDED = Duration.ofMillis(60);

    private static final int TAIL_LINES = 10;
    private static final int TAIL_BYTES = 1 << 10;

    /// Stack traces and the advice of package managers are longer than the tail that is shown.
    private static final int REASON_LINES = 200;

    private static final int REASON_BYTES = 16 << 10;

    private final Platform platform;
    private final StdoutReader stdoutReader;
    private final SafeListener listener;
    private final Termination termination;
    private final CompletionSignal processEnded;
    private final CompletionSignal collected;
    private final long start;
    private final AtomicBoolean isDecided = new AtomicBoolean();
    private volatile boolean isStopping;
    private volatile @Nullable Ended ended;
    private volatile @Nullable ChildExit exit;

    ExitCollector(Platform platform, StdoutReader stdoutReader, SafeListener listener, Termination termination) {
        this.platform = platform;
        this.stdoutReader = stdoutReader;
        this.listener = listener;
        this.termination = termination;
        this.processEnded = termination.leaderEnded();
        this.collected = new CompletionSignal(platform);
        this.start = platform.ticker().nanos();
    }

    Platform platform() {
        return platform;
    }

    Termination termination() {
        return termination;
    }

    void stopping() {
        isStopping = exit == null || isStopping;
    }

    /// Called by the watching thread.
    void processEnded(@Nullable Ended how) {
        ended = how;
        processEnded.reach();
        end(ChildExit.Cause.ENDED);
    }

    /// Called by the stdout thread: there will be no more output, or none of use. A child in the middle of a line
    /// is not about to exit, and nothing more may be sent to it.
    void outputLost(ChildExit.Cause cause) {
        if (cause != ChildExit.Cause.ENDLESS_LINE) {
            processEnded.awaitUninterrupted(CLOSED_BEFORE_ENDED);
        }
        // Checked directly as well: on a busy machine the watching thread may be late.
        if (!stdoutReader.isProcessOver()) {
            end(cause);
        }
    }

    /// Ends the use of the child with this cause; the first call decides.
    void end(ChildExit.Cause cause) {
        if (!isDecided.compareAndSet(false, true)) {
            return;
        }
        if (cause == ChildExit.Cause.ENDED) {
            stdoutReader.awaitAll(OUTPUT_LIMIT);
        }
        ChildExit made = exit(cause);
        exit = made;
        collected.reach();
        termination.start();
        listener.exited(made);
    }

    private ChildExit exit(ChildExit.Cause cause) {
        Ended how = ended;
        Duration uptime = Duration.ofNanos(platform.ticker().nanos() - start);
        List<String> tail = stdoutReader.errors().tail(TAIL_LINES, TAIL_BYTES);
        return new ChildExit(
                cause,
                how == null ? null : (Integer) how.code(),
                how == null ? null : SignalName.of(how.signal()),
                uptime,
                isStopping,
                tail,
                CrashReason.of(stdoutReader.errors().tail(REASON_LINES, REASON_BYTES)));
    }

    Optional<ChildExit> await(Duration limit) throws InterruptedException {
        collected.await(limit);
        return Optional.ofNullable(exit);
    }
}
