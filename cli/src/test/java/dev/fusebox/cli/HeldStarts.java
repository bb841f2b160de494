package dev.fusebox.cli;

import dev.fusebox.platform.LaunchResult;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.Processes;
import dev.fusebox.platform.Program;
import dev.fusebox.platform.Signal;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A process factory whose starts block until released, and then fail. Thread-safe.
final class HeldStarts implements Processes {
    private final Processes nothing = Processes.none();
    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    /// The usual platform but for these processes.
    Platform platform() {
        Platform usual = Platform.system();
        return new Platform(
                usual.ticker(),
                usual.wallClock(),
                usual.random(),
                usual.timers(),
                usual.environment(),
                this,
                usual.peerUsers());
    }

    /// Starts that are under way.
    int now() {
        return now.get();
    }

    /// The most there have been at a time.
    int most() {
        return most.get();
    }

    void letGo() {
        open.countDown();
    }

    @Override
    public LaunchResult launch(Program program) {
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        try {
            boolean isOpen = open.await(30, TimeUnit.SECONDS);
            return isOpen
                    ? nothing.launch(program)
                    : new LaunchResult.Failed(LaunchResult.Cause.OTHER, "held for too long");
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        } finally {
            now.decrementAndGet();
        }
    }

    @Override
    public long memory() {
        return nothing.memory();
    }

    @Override
    public long memoryOf(ProcessEntry process) {
        return nothing.memoryOf(process);
    }

    @Override
    public List<ProcessEntry> list() {
        return nothing.list();
    }

    @Override
    public @Nullable String variable(ProcessEntry process, String name) {
        return nothing.variable(process, name);
    }

    @Override
    public boolean signal(ProcessEntry process, Signal signal) {
        return nothing.signal(process, signal);
    }

    @Override
    public void reap(ProcessEntry zombie) {
        nothing.reap(zombie);
    }

    @Override
    public ProcessEntry self() {
        return nothing.self();
    }

    @Override
    public boolean adoptOrphans() {
        return nothing.adoptOrphans();
    }

    @Override
    public boolean lowerPriority(int steps) {
        return nothing.lowerPriority(steps);
    }

    @Override
    public long processorNanos() {
        return nothing.processorNanos();
    }

    @Override
    public boolean denyInspection() {
        return nothing.denyInspection();
    }

    @Override
    public boolean keepsSessions() {
        return nothing.keepsSessions();
    }
}
