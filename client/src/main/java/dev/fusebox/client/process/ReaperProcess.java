package dev.fusebox.client.process;

import dev.fusebox.platform.LaunchResult;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Program;
import dev.fusebox.platform.SpawnedProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reaper process: a small child that outlives a killed gateway and kills the servers that it left behind.
/// Thread-safe; [#isReady] and [#close] block.
///
/// It is a shell in a session of its own that reads from a pipe, whose other end only the gateway holds. However
/// the gateway ends, that end is closed; the reaper then sends SIGKILL to every process with the tag of the
/// gateway until there is none. A regular shutdown makes it exit immediately.
final class ReaperProcess {
    private static final Logger LOG = LazyLoggers.of(ReaperProcess.class);
    private static final byte[] EXIT = "exit\n".getBytes(StandardCharsets.US_ASCII);
    private static final Duration EXIT_LIMIT = Duration.ofSeconds(1);
    private static final Duration RESTART_DELAY = Duration.ofSeconds(1);
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

    private final Platform platform;
    private final OwnerTag ownerTag;
    private final CompletionSignal gone;
    private @Nullable SpawnedProcess process;
    private boolean isRefused;
    private volatile boolean isClosing;

    ReaperProcess(Platform platform, OwnerTag ownerTag) {
        this.platform = platform;
        this.ownerTag = ownerTag;
        this.gone = new CompletionSignal(platform);
    }

    /// Starts it if it does not run yet. False if there are no resources to start it, so that nothing else must be
    /// started either. Without `/proc` or a shell there is none, which is logged once.
    synchronized boolean isReady() {
        if (process != null || isRefused || !platform.processes().keepsSessions()) {
            return true;
        }
        LaunchResult launchResult = platform.processes().launch(program());
        if (launchResult instanceof LaunchResult.Running running) {
            process = running.process();
            startWatching(running.process());
            return true;
        }
        LaunchResult.Failed failed = (LaunchResult.Failed) launchResult;
        isRefused = failed.cause() != LaunchResult.Cause.SHORTAGE;
        LOG.log(
                Level.WARNING,
                "cannot start the reaper process; servers may outlive a killed gateway: " + failed.detail());
        return isRefused;
    }

    private Program program() {
        String path = platform.environment().getOrDefault("PATH", DEFAULT_PATH);
        return new Program(
                "/bin/sh",
                List.of("-c", script(), "fusebox-reaper", ownerTag.environmentEntry()),
                Map.of("PATH", path, "LC_ALL", "C"),
                "/");
    }

    static String script() {
        try (InputStream in = ReaperProcess.class.getResourceAsStream("reaper.sh")) {
            if (in == null) {
                throw new IllegalStateException("reaper.sh is missing next to " + ReaperProcess.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void startWatching(SpawnedProcess started) {
        started.closeOut();
        started.closeErr();
        Thread.ofPlatform()
                .daemon()
                .name("fusebox-reaper")
                .stackSize(ChildThreads.STACK_BYTES)
                .start(() -> watch(started));
    }

    private void watch(SpawnedProcess started) {
        try {
            while (!isOver(started)) {
                Thread.onSpinWait();
            }
        } finally {
            started.closeIn();
            started.closeWatch();
            started.reap();
        }
        if (isClosing) {
            gone.reach();
        } else {
            LOG.log(Level.WARNING, "reaper process exited unexpectedly; restarting it");
            replace();
        }
    }

    /// Waits without a limit: closing the pipe of a live reaper would make it kill all servers.
    private boolean isOver(SpawnedProcess started) {
        try {
            return started.await(false, Long.MAX_VALUE);
        } catch (RuntimeException | Error ours) {
            gone.awaitUninterrupted(RESTART_DELAY);
            return false;
        }
    }

    private void replace() {
        gone.awaitUninterrupted(RESTART_DELAY);
        synchronized (this) {
            process = null;
        }
        if (!isClosing) {
            isReady();
        }
    }

    /// Makes it exit. All servers must have ended before.
    void close() {
        SpawnedProcess running;
        synchronized (this) {
            isClosing = true;
            running = process;
        }
        if (running != null) {
            running.tryWrite(EXIT, 0, EXIT.length);
            running.closeIn();
            gone.awaitUninterrupted(EXIT_LIMIT);
        }
    }

    /// Its process id; 0 if there is none.
    synchronized long pid() {
        return process == null ? 0 : process.pid();
    }
}
