package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SpawnedProcess.Ended;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Makes one end of the several ways in which a child may end. Thread-safe.
///
/// ```
/// process ended ------------------------------.
/// a pipe closed, and the process lives on -----+--> all is delivered (80 ms of silence) --> Exit, once --> listener
/// line without end, unread input, our fault --'      and, in any case, the ladder for the tree
/// ```
final class ExitCollector {
    /// How long the last lines of the output may stay away. The caller of a dead server is told within 100 ms.
    private static final Duration LAST_LINES = Duration.ofMillis(80);

    /// How long they may take where they come one after the other. The errors may take as long in any case: they
    /// say why it ended.
    private static final Duration ALL_LINES = Duration.ofSeconds(1);

    /// A process that ends closes its pipes a moment before it is gone.
    static final Duration CLOSED_BEFORE_ENDED = Duration.ofMillis(60);

    private static final int TAIL_LINES = 10;
    private static final int TAIL_BYTES = 1 << 10;

    /// Stacks and the advice of package managers are longer than what is shown.
    private static final int REASON_LINES = 200;

    private static final int REASON_BYTES = 16 << 10;

    private final Platform platform;
    private final StdoutReader stdoutReader;
    private final SafeListener listener;
    private final Termination termination;
    private final CompletionSignal processEnded;
    private final CompletionSignal known;
    private final long start;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private volatile boolean isStopping;
    private volatile @Nullable Ended ended;
    private volatile @Nullable ChildExit exit;

    ExitCollector(Platform platform, StdoutReader stdoutReader, SafeListener listener, Termination termination) {
        this.platform = platform;
        this.stdoutReader = stdoutReader;
        this.listener = listener;
        this.termination = termination;
        this.processEnded = termination.leaderEnded();
        this.known = new CompletionSignal(platform);
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

    /// From the watching thread.
    void processEnded(@Nullable Ended how) {
        ended = how;
        processEnded.reach();
        end(ChildExit.Cause.ENDED);
    }

    /// From the output's thread: there will be no more output, or none of use. A child in the middle of a line is
    /// not about to end, and nothing more may be sent to it.
    void outputLost(ChildExit.Cause cause) {
        if (cause != ChildExit.Cause.ENDLESS_LINE) {
            processEnded.awaitUninterrupted(CLOSED_BEFORE_ENDED);
        }
        // Asked directly as well: on a busy machine the watching thread may be late.
        if (!stdoutReader.isProcessOver()) {
            end(cause);
        }
    }

    /// The first one decides.
    void end(ChildExit.Cause cause) {
        if (!isTaken.compareAndSet(false, true)) {
            return;
        }
        if (cause == ChildExit.Cause.ENDED) {
            stdoutReader.awaitAll(LAST_LINES, ALL_LINES);
        }
        ChildExit made = exit(cause);
        exit = made;
        known.reach();
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
        known.await(limit);
        return Optional.ofNullable(exit);
    }
}
