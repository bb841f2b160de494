package dev.fusebox.cli;

import dev.fusebox.client.Promise;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Signals;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The shutdown of the gateway and its exit code: an orderly end when the client disconnects or the first signal
/// arrives, an immediate end at the second signal. From the first signal on no process is started. A client that
/// has only closed its sending side still gets its answers, also from servers that must be started for them.
/// Thread-safe; only [#await] blocks.
final class Shutdown {
    private static final Logger LOG = LazyLoggers.of(Shutdown.class);
    private static final int AFTER_TERM = 143;

    /// The limit after the second signal, below the promised second.
    private static final Duration AT_ONCE = Duration.ofMillis(800);

    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicReference<@Nullable ExitStatus> exitStatus = new AtomicReference<>();
    private final AtomicBoolean signalled = new AtomicBoolean();
    private final Platform platform;
    private volatile Running gateway = new Running(() -> {}, () -> {});

    /// Handles signals from now on.
    Shutdown(Platform platform) {
        this.platform = platform;
        Signals.Handling onTerm = Signals.on("TERM", () -> signalled(ExitStatus.DONE, AFTER_TERM));
        Signals.Handling onInt =
                Signals.on("INT", () -> signalled(ExitStatus.INTERRUPTED, ExitStatus.INTERRUPTED.code()));
        if (onTerm == Signals.Handling.UNSUPPORTED || onInt == Signals.Handling.UNSUPPORTED) {
            LOG.log(
                    Level.WARNING,
                    "cannot install signal handlers: SIGTERM and SIGINT stop the gateway without finishing calls");
        }
    }

    /// The gateway that ends.
    private record Running(Runnable rejectStarts, Runnable kill) {}

    /// Sets the gateway that ends, once it has started.
    ///
    /// @param rejectStarts lets it start no more processes; must not block
    /// @param kill kills its processes
    void of(Runnable rejectStarts, Runnable kill) {
        gateway = new Running(rejectStarts, kill);
        if (signalled.get()) {
            rejectStarts.run();
        }
    }

    /// A first signal after the client has disconnected ends at once as well: no client waits for answers.
    private void signalled(ExitStatus first, int second) {
        boolean again = !signalled.compareAndSet(false, true);
        gateway.rejectStarts().run();
        if (!begin(first)) {
            endAtOnce(again ? second : first.code());
        }
    }

    /// Kills the children and halts in any case; the reaper process ends remaining children.
    private void endAtOnce(int code) {
        holdExitCode();
        try {
            Promise<Boolean> killed = new Promise<>();
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    gateway.kill().run();
                } finally {
                    killed.complete(true);
                }
            });
            killed.await(platform, AT_ONCE);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            Runtime.getRuntime().halt(code);
        }
    }

    /// Delays the orderly exit, which would otherwise complete first once the children are gone and return its own
    /// code.
    private void holdExitCode() {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(this::awaitHalt, "fusebox-halt"));
        } catch (IllegalStateException endedAlready) {
            // The orderly exit has already completed.
        }
    }

    private void awaitHalt() {
        try {
            platform.pause(AT_ONCE.multipliedBy(2));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /// Begins the shutdown; false if it has begun before.
    boolean begin(ExitStatus with) {
        boolean first = exitStatus.compareAndSet(null, with);
        begun.countDown();
        return first;
    }

    void await() throws InterruptedException {
        begun.await();
    }

    ExitStatus exitStatus() {
        ExitStatus known = exitStatus.get();
        return known == null ? ExitStatus.DONE : known;
    }
}
