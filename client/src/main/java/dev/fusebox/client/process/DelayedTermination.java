package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SpawnedProcess;
import dev.fusebox.platform.VirtualThreadStarter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// Begins to end one child, and first lets it finish what it does before it can speak. Thread-safe; nothing
/// blocks.
///
/// A package runner that is ended in the middle of an installation leaves an incomplete one, which makes all later
/// starts fail. One that has nothing more to read finishes the installation and starts the server, which ends with
/// its input.
///
/// ```
/// input closed --first message, end, or the limit--> ladder
/// ```
final class DelayedTermination {
    private final SpawnedProcess process;
    private final Termination termination;
    private final Duration limit;
    private final CompletionSignal decided;
    private final AtomicBoolean isBegun = new AtomicBoolean();

    /// @param limit how long a child that has not sent a message may take to end by itself
    DelayedTermination(Platform platform, SpawnedProcess process, Termination termination, Duration limit) {
        this.process = process;
        this.termination = termination;
        this.limit = limit;
        this.decided = new CompletionSignal(platform);
    }

    /// Ends the child; does nothing the second time.
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

    /// The child has sent a message, or it has gone: there is nothing to finish any more.
    void over() {
        decided.reach();
    }

    /// Whether the child may still be doing what comes before its first message.
    boolean isUnderWay() {
        return !decided.isReached() && process.ended() == null;
    }
}
