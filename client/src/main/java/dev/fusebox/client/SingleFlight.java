package dev.fusebox.client;

import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Work that runs once for all concurrent callers, who share its result. It continues when its callers stop
/// waiting. Thread-safe; nothing blocks, except for [#awaitIdle].
public final class SingleFlight<T> {
    private static final System.Logger LOG = LazyLoggers.of(SingleFlight.class);

    private final String thread;
    private final T broken;
    private @Nullable Promise<T> running;

    /// @param thread name of its threads
    /// @param broken the result of work that throws
    public SingleFlight(String thread, T broken) {
        this.thread = thread;
        this.broken = broken;
    }

    /// The result of the running work, or of this work if none is running.
    public Promise<T> join(Callable<T> work) {
        Promise<T> promise = new Promise<>();
        synchronized (this) {
            if (running != null) {
                return running;
            }
            running = promise;
        }
        VirtualThreadStarter.start(thread, () -> run(work, promise), () -> end(promise, broken));
        return promise;
    }

    /// Waits until no work is running, for a time at most. Blocks.
    public void awaitIdle(Platform platform, Duration limit) throws InterruptedException {
        Promise<T> now;
        synchronized (this) {
            now = running;
        }
        if (now != null && limit.isPositive()) {
            T _ = now.await(platform, limit, () -> false);
        }
    }

    private void run(Callable<T> work, Promise<T> promise) {
        T result = broken;
        try {
            result = work.call();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (Exception | Error bug) {
            LOG.log(Level.ERROR, thread + " failed with an internal error", bug);
        } finally {
            end(promise, result);
        }
    }

    private void end(Promise<T> promise, T result) {
        synchronized (this) {
            running = null;
        }
        promise.complete(result);
    }
}
