package dev.fusebox.client.process;

import dev.fusebox.world.Spawned;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Reads what a child writes. [#readOutput] and [#readErrors] are for one thread each.
final class Reading {
    private static final int OUT_BYTES = 16 << 10;
    private static final int ERR_BYTES = 4 << 10;

    private final World world;
    private final Spawned process;
    private final ChildLimits limits;
    private final Told listener;
    private final ErrorLog errors;
    private final Milestone outputOver;
    private final Milestone errorsOver;

    /// Bytes of the output.
    private final AtomicLong delivered = new AtomicLong();

    Reading(World world, Spawned process, ChildSpec spec, Told listener) {
        this.world = world;
        this.process = process;
        this.limits = spec.limits();
        this.listener = listener;
        this.errors = new ErrorLog(world, listener, spec.secrets());
        this.outputOver = new Milestone(world);
        this.errorsOver = new Milestone(world);
    }

    ErrorLog errors() {
        return errors;
    }

    boolean isProcessOver() {
        return process.ended() != null;
    }

    /// All that was written has been delivered.
    Milestone outputOver() {
        return outputOver;
    }

    Milestone errorsOver() {
        return errorsOver;
    }

    /// @param lost told why the child is of no use any more, when its output says so
    void readOutput(Consumer<Exit.Cause> lost) {
        Exit.Cause cause = Exit.Cause.READER_FAILED;
        try {
            cause = deliverAll(lost);
        } finally {
            if (cause == Exit.Cause.READER_FAILED) {
                // Before the pipe is closed: that may end the process, and then its end would look like its own.
                lost.accept(cause);
            }
            process.closeOut();
            outputOver.reach();
            lost.accept(cause);
        }
    }

    private Exit.Cause deliverAll(Consumer<Exit.Cause> lost) {
        var lines = new LineSplitter(limits.frameBytes(), listener);
        var skipping = new Skipping(limits, world);
        byte[] bytes = new byte[OUT_BYTES];
        for (int count = process.readOut(bytes); count >= 0; count = process.readOut(bytes)) {
            lines.accept(bytes, count);
            delivered.addAndGet(count);
            if (skipping.isTooMuch(lines.skipped())) {
                lines.finish();
                lost.accept(Exit.Cause.ENDLESS_LINE);
            }
        }
        lines.finish();
        return Exit.Cause.OUTPUT_CLOSED;
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

    /// Waits until both threads have delivered what there was. Neither waits for more once the process has ended, so
    /// each takes long only where it gets no processor, or is kept by its listener.
    ///
    /// @param pause for how long the output may deliver nothing
    /// @param most for how long it may take in all
    void awaitAll(Duration pause, Duration most) {
        long start = world.ticker().nanos();
        long before;
        do {
            before = delivered.get();
        } while (!outputOver.awaitUninterrupted(pause)
                && delivered.get() != before
                && world.ticker().nanos() - start < most.toNanos());
        errorsOver.awaitUninterrupted(most.minusNanos(world.ticker().nanos() - start));
    }
}
