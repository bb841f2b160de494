package dev.fusebox.client.process;

import dev.fusebox.client.framing.LineSplitter;
import dev.fusebox.client.framing.OversizedMessageLimit;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SpawnedProcess;
import java.time.Duration;
import java.util.function.Consumer;

/// Reader of stdout and stderr of a child. [#readOutput] and [#readErrors] block and are for one thread each; the
/// rest is thread-safe.
final class StdoutReader {
    private static final int OUT_BYTES = 16 << 10;
    private static final int ERR_BYTES = 4 << 10;

    private final Platform platform;
    private final SpawnedProcess process;
    private final ChildLimits limits;
    private final SafeListener listener;
    private final StderrReader errors;
    private final CompletionSignal outputOver;
    private final CompletionSignal errorsOver;

    StdoutReader(Platform platform, SpawnedProcess process, ChildSpec spec, SafeListener listener) {
        this.platform = platform;
        this.process = process;
        this.limits = spec.limits();
        this.listener = listener;
        this.errors = new StderrReader(platform, listener, spec.secrets());
        this.outputOver = new CompletionSignal(platform);
        this.errorsOver = new CompletionSignal(platform);
    }

    StderrReader errors() {
        return errors;
    }

    boolean isProcessOver() {
        return process.ended() != null;
    }

    /// All of stdout has been delivered.
    CompletionSignal outputOver() {
        return outputOver;
    }

    CompletionSignal errorsOver() {
        return errorsOver;
    }

    /// @param lost receives the cause when the output shows that the child is no longer usable
    void readOutput(Consumer<ChildExit.Cause> lost) {
        ChildExit.Cause cause = ChildExit.Cause.READER_FAILED;
        try {
            cause = deliverAll(lost);
        } finally {
            if (cause == ChildExit.Cause.READER_FAILED) {
                // Before the pipe is closed: that may end the process, which would then look like its own exit.
                lost.accept(cause);
            }
            process.closeOut();
            outputOver.reach();
            lost.accept(cause);
        }
    }

    private ChildExit.Cause deliverAll(Consumer<ChildExit.Cause> lost) {
        var lines = new LineSplitter(limits.frameBytes(), listener);
        var oversizedMessageLimit = new OversizedMessageLimit(limits.discardBytes(), limits.discardTime(), platform);
        byte[] bytes = new byte[OUT_BYTES];
        for (int count = process.readOut(bytes); count >= 0; count = process.readOut(bytes)) {
            lines.accept(bytes, count);
            if (oversizedMessageLimit.isExceeded(lines.skipped())) {
                lines.finish();
                lost.accept(ChildExit.Cause.ENDLESS_LINE);
            }
        }
        lines.finish();
        return ChildExit.Cause.OUTPUT_CLOSED;
    }

    void readErrors() {
        try {
            byte[] bytes = new byte[ERR_BYTES];
            for (int count = process.readErr(bytes); count >= 0; count = process.readErr(bytes)) {
                errors.accept(bytes, count);
            }
        } finally {
            process.closeErr();
            errorsOver.reach();
        }
    }

    /// Waits until both threads have delivered what there was. Neither waits for more once the process has exited,
    /// so each takes long only if it gets no processor time or its listener blocks.
    ///
    /// @param most the limit for both
    void awaitAll(Duration most) {
        long start = platform.ticker().nanos();
        outputOver.awaitUninterrupted(most);
        errorsOver.awaitUninterrupted(most.minusNanos(platform.ticker().nanos() - start));
    }
}
