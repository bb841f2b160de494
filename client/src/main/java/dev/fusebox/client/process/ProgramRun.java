package dev.fusebox.client.process;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.LaunchResult;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Program;
import dev.fusebox.platform.Signal;
import dev.fusebox.platform.SpawnedProcess;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One run of a program to its end, with input, bounded output and a time limit. Thread-safe; [#run] blocks.
///
/// ```
/// launch --> input is written, output is read --> the program exits --> what is left in its group is killed
///                        `-- a limit is exceeded, or the caller is interrupted --> its process tree is killed
/// ```
/// The program is launched and watched on a thread of its own, so that a hanging file system does not block the
/// caller beyond the limit.
public final class ProgramRun {
    private static final String NO_THREADS = "no threads or memory left for another process";
    private static final int CHUNK = 8 << 10;
    private static final int ERROR_TAIL = 4 << 10;
    private static final int ERROR_LINE = 300;

    /// Output that is in the pipe when the program has exited is read within milliseconds.
    private static final Duration OUTPUT_LIMIT = Duration.ofSeconds(1);

    /// SIGKILL takes effect within milliseconds, unless the process waits for the kernel.
    private static final Duration KILL_LIMIT = Duration.ofSeconds(2);

    private final Platform platform;
    private final Program program;
    private final byte[] input;
    private final Limits limits;
    private final String tag;
    private final CompletionSignal done;
    private final CompletionSignal outRead;
    private final CompletionSignal errRead;
    private final StderrTail errors = new StderrTail(ERROR_TAIL, Redactor.NONE);
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final AtomicReference<@Nullable ProgramResult> result = new AtomicReference<>();
    private volatile @Nullable SpawnedProcess running;
    private volatile boolean isStopped;

    /// The limits of a run. Immutable.
    ///
    /// @param time from the call to the exit of the program
    /// @param outputBytes the largest standard output
    public record Limits(Duration time, int outputBytes) {}

    private ProgramRun(Platform platform, Program program, byte[] input, Limits limits) {
        this.platform = platform;
        this.input = input;
        this.limits = limits;
        this.tag = new OwnerTag(platform).tree(0);
        Map<String, String> environment = new HashMap<>(program.environment());
        environment.put(OwnerTag.VARIABLE, tag);
        this.program = new Program(program.command(), program.arguments(), environment, program.directory());
        this.done = new CompletionSignal(platform);
        this.outRead = new CompletionSignal(platform);
        this.errRead = new CompletionSignal(platform);
    }

    /// Runs a program. Returns when it has exited or when the time is over.
    ///
    /// @param program with all variables that it needs; one more marks its processes
    /// @param input its standard input, which is closed afterwards
    public static ProgramResult run(Platform platform, Program program, byte[] input, Limits limits)
            throws InterruptedException {
        return new ProgramRun(platform, program, input, limits).run();
    }

    private ProgramResult run() throws InterruptedException {
        try {
            if (!start("watch", this::launch)) {
                return new ProgramResult.Failed(false, NO_THREADS);
            }
            if (!done.await(limits.time())) {
                stop("timed out after " + limits.time().toMillis() + " ms");
                done.await(KILL_LIMIT);
            }
        } finally {
            stop("was interrupted");
        }
        ProgramResult decided = result.get();
        return decided == null ? new ProgramResult.Failed(false, "did not end") : decided;
    }

    private static boolean start(String what, Runnable work) {
        try {
            ChildThreads.unstarted(0, what, work).start();
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    /// Ends the run with this reason, unless it is already decided.
    private void stop(String reason) {
        if (result.compareAndSet(null, new ProgramResult.Failed(false, reason))) {
            isStopped = true;
            SpawnedProcess process = running;
            if (process != null) {
                process.wake();
            }
        }
    }

    // ---- The watching thread

    private void launch() {
        try {
            switch (platform.processes().launch(program)) {
                case LaunchResult.Running(SpawnedProcess process) -> watch(process);
                case LaunchResult.Failed(LaunchResult.Cause cause, String detail) ->
                    result.compareAndSet(null, new ProgramResult.Failed(cause == LaunchResult.Cause.NOT_FOUND, detail));
            }
        } finally {
            stop("failed by an internal error");
            done.reach();
        }
    }

    private void watch(SpawnedProcess process) {
        var tree = new ProcessTree(process, tag, platform.processes(), new ProcessTable(platform.processes()));
        var termination = new Termination(platform, process, tree, () -> {});
        running = process;
        try {
            startReading(process);
            feed(process, termination);
            termination.leaderEnded().reach();
            collect(process);
        } finally {
            // Also after an internal error nothing of the program is left.
            if (process.ended() == null || isStopped) {
                termination.killNow();
                awaitGone(termination);
            }
            process.closeIn();
            process.closeWatch();
            process.reap();
        }
    }

    private void startReading(SpawnedProcess process) {
        boolean isOutRead = start("out", () -> readOut(process));
        boolean isErrRead = start("err", () -> readErr(process));
        if (!isOutRead) {
            process.closeOut();
        }
        if (!isErrRead) {
            process.closeErr();
        }
        if (!isOutRead || !isErrRead) {
            stop(NO_THREADS);
        }
    }

    private static void awaitGone(Termination termination) {
        try {
            termination.awaitGone(KILL_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Writes the input as the program takes it, and returns when the program has ended.
    private void feed(SpawnedProcess process, Termination termination) {
        int written = 0;
        boolean isOpen = true;
        boolean hasEnded = false;
        while (!hasEnded) {
            if (isOpen) {
                int more = process.tryWrite(input, written, input.length);
                written = more < 0 ? input.length : written + more;
                isOpen = written < input.length;
            }
            if (!isOpen) {
                process.closeIn();
            }
            if (isStopped) {
                termination.killNow();
                isOpen = false;
            }
            hasEnded = process.await(isOpen, Long.MAX_VALUE);
        }
    }

    private void collect(SpawnedProcess process) {
        if (!isStopped) {
            // A process that the program has left in the background could keep the pipes busy.
            process.signalGroup(Signal.KILL);
        }
        boolean isRead = outRead.awaitUninterrupted(OUTPUT_LIMIT) && errRead.awaitUninterrupted(OUTPUT_LIMIT);
        SpawnedProcess.Ended ended = process.ended();
        if (!isRead || ended == null) {
            stop("exited, but its output does not end");
            return;
        }
        List<String> last = errors.lines(1, ERROR_TAIL);
        String line = last.isEmpty() ? "" : PrintableOutput.start(last.getFirst(), ERROR_LINE);
        result.compareAndSet(
                null, new ProgramResult.Exited(ended.code(), output.toString(StandardCharsets.UTF_8), line));
    }

    // ---- The reading threads

    private void readOut(SpawnedProcess process) {
        try {
            byte[] chunk = new byte[CHUNK];
            for (int count = process.readOut(chunk); count >= 0; count = process.readOut(chunk)) {
                if (output.size() + count > limits.outputBytes()) {
                    stop("printed more than " + limits.outputBytes() + " bytes");
                    return;
                }
                output.write(chunk, 0, count);
            }
        } finally {
            process.closeOut();
            outRead.reach();
        }
    }

    private void readErr(SpawnedProcess process) {
        try {
            byte[] chunk = new byte[CHUNK];
            for (int count = process.readErr(chunk); count >= 0; count = process.readErr(chunk)) {
                errors.append(chunk, count);
            }
        } finally {
            process.closeErr();
            errRead.reach();
        }
    }
}
