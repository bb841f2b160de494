package dev.fusebox.cli;

import dev.fusebox.client.Promise;
import dev.fusebox.client.process.ChildProcesses;
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

/// When the gateway has to end, and with which code: at the client's leaving or at the first signal in order, at
/// the second signal at once. From the first signal on no process is started, whatever was about to; a client that
/// has only closed its side still gets its answers, also from servers that must be started for them.
/// Thread-safe; only [#await] blocks.
final class Shutdown {
    private static final Logger LOG = LazyLoggers.of(Shutdown.class);
    private static final int AFTER_TERM = 143;

    /// What the second signal may take, less than the second that is promised.
    private static final Duration AT_ONCE = Duration.ofMillis(800);

    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicReference<@Nullable ExitStatus> exitStatus = new AtomicReference<>();
    private final AtomicBoolean signalled = new AtomicBoolean();
    private final Platform platform;
    private final ChildProcesses children;
    private final Runnable whenBegun;

    /// @param whenBegun is run once, by whoever is the first to begin; must not block
    Shutdown(Platform platform, ChildProcesses children, Runnable whenBegun) {
        this.platform = platform;
        this.children = children;
        this.whenBegun = whenBegun;
        Signals.Handling onTerm = Signals.on("TERM", () -> signalled(ExitStatus.DONE, AFTER_TERM));
        Signals.Handling onInt =
                Signals.on("INT", () -> signalled(ExitStatus.INTERRUPTED, ExitStatus.INTERRUPTED.code()));
        if (onTerm == Signals.Handling.UNSUPPORTED || onInt == Signals.Handling.UNSUPPORTED) {
            LOG.log(
                    Level.WARNING,
                    "signals cannot be heard here: each ends the gateway at once, in the middle of calls");
        }
    }

    /// A first signal after the client has left ends everything at once, too: nobody waits for an answer any more.
    private void signalled(ExitStatus first, int second) {
        boolean again = !signalled.compareAndSet(false, true);
        children.rejectStarts();
        if (!begin(first)) {
            endAtOnce(again ? second : first.code());
        }
    }

    /// Whatever becomes of the children, this process ends; the janitor ends what is left of them.
    private void endAtOnce(int code) {
        keepTheCode();
        try {
            Promise<Boolean> killed = new Promise<>();
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    children.kill();
                } finally {
                    killed.bring(true);
                }
            });
            killed.await(platform, AT_ONCE);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            Runtime.getRuntime().halt(code);
        }
    }

    /// With the children gone nothing is under way any more, and the end that was in good order would come
    /// first, with its own code: it waits for the halt.
    private void keepTheCode() {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(this::awaitHalt, "fusebox-halt"));
        } catch (IllegalStateException endedAlready) {
            // All is gone, and in good order.
        }
    }

    private void awaitHalt() {
        try {
            platform.pause(AT_ONCE.multipliedBy(2));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /// Begins to end; false if that has begun before.
    boolean begin(ExitStatus with) {
        boolean first = exitStatus.compareAndSet(null, with);
        if (first) {
            whenBegun.run();
        }
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
