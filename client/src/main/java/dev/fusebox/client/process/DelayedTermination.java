package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SpawnedProcess;
import dev.fusebox.platform.VirtualThreadStarter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// Delay before the [Termination] of a child that has not sent its first message yet. Thread-safe; nothing blocks.
///
/// A package runner that is terminated during an installation leaves an incomplete one, which makes all later
/// starts fail. With its stdin closed, it finishes the installation and starts the server, which then exits
/// because its stdin is closed.
///
/// ```
/// stdin closed --first message, exit, or the limit--> termination
/// ```
final class DelayedTermination {
    private final SpawnedProcess process;
    private final Termination termination;
    private final Duration limit;
    private final CompletionSignal decided;
    private final AtomicBoolean isBegun = new AtomicBoolean();

    /// @param limit how long a child that has not sent a message may take to exit by itself
    DelayedTermination(Platform platform, SpawnedProcess process, Termination termination, Duration limit) {
        this.process = process;
        this.termination = termination;
        this.limit = limit;
        this.decided = new CompletionSignal(platform);
    }

    /// Begins the delay and then the termination. Idempotent.
    void begin() {
        if (!limit.isPositive() || decided.isReached()) {
            termination.start();
        } else if (isBegun.compareAndSet(false, true)) {
            process.closeIn();
            VirtualThreadStarter.start("fusebox-delayed-termination-" + process.pid(), this::run, termination::start);
        }
    }

    private void run() {
        try {
            decided.awaitUninterrupted(limit);
        } finally {
            termination.start();
        }
    }

    /// Ends the delay: the child has sent a message, or is gone.
    void finished() {
        decided.reach();
    }

    /// Whether the child may still be working on what comes before its first message.
    boolean isUnderWay() {
        return !decided.isReached() && process.ended() == null;
    }
}
