package dev.fusebox.gateway.cache;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Writes files behind those who serve, on a thread of its own that is there as long as there is something to
/// write. What cannot be written is left out and told in the log. Thread-safe; nothing blocks but [#close].
final class WriteBehind implements AutoCloseable {
    /// What is still waiting at the end has so long.
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

    private final Platform platform;
    private final System.Logger log;
    private final SequencedMap<String, Write> waiting = new LinkedHashMap<>();
    private boolean isWriting;
    private @Nullable Long warnedAt;
    private volatile @Nullable Thread closing;

    /// Writes one file. Blocks as the disk does.
    interface Write {
        void write() throws IOException;
    }

    WriteBehind(Platform platform, System.Logger log) {
        this.platform = platform;
        this.log = log;
    }

    /// Has this written, in place of what still waits for the same file. After the end it is left out: the folder
    /// may be gone.
    synchronized void add(String file, Write write) {
        if (closing != null) {
            return;
        }
        waiting.put(file, write);
        begin();
    }

    /// What cannot be remembered must not cost whoever has just heard it.
    private synchronized void begin() {
        if (!isWriting && !waiting.isEmpty()) {
            try {
                Thread.ofPlatform().daemon().name("fusebox-cache").start(this::writeAll);
                isWriting = true;
            } catch (RuntimeException | Error unbegun) {
                warn(unbegun);
            }
        }
    }

    // ---- On its own thread

    /// Whatever ends it, what waits is written by another.
    private void writeAll() {
        boolean isDone = false;
        boolean hasBegun = false;
        try {
            for (Write next = next(); next != null; next = next()) {
                hasBegun = true;
                write(next);
            }
            isDone = true;
        } finally {
            if (!isDone) {
                stopped(hasBegun);
            }
            LockSupport.unpark(closing);
        }
    }

    /// @param hasBegun whether less waits than before: where nothing can be done at all, the next that is kept is
    /// tried
    private synchronized void stopped(boolean hasBegun) {
        isWriting = false;
        if (hasBegun) {
            begin();
        }
    }

    private void write(Write write) {
        try {
            write.write();
        } catch (IOException | RuntimeException | Error unwritable) {
            warn(unwritable);
        }
    }

    /// What waits longest; null if nothing does, and then the thread ends.
    private synchronized @Nullable Write next() {
        Map.Entry<String, Write> next = waiting.pollFirstEntry();
        isWriting = next != null;
        return next == null ? null : next.getValue();
    }

    private void warn(Throwable why) {
        Long before = warnedAt;
        long now = platform.ticker().nanos();
        if (before == null || now - before >= BETWEEN_WARNINGS.toNanos()) {
            warnedAt = now;
            log.log(
                    Level.WARNING,
                    "what servers offer, or what was read of it, cannot be kept for the next start; nothing else is"
                            + " affected: "
                            + why.getClass().getSimpleName() + ": " + why.getMessage());
        }
    }

    private synchronized boolean isAtRest() {
        return !isWriting;
    }

    /// What waits is still written, unless the disk hangs. Blocks for a second at most.
    @Override
    public void close() {
        closing = Thread.currentThread();
        begin();
        try {
            platform.await(FAREWELL, this::isAtRest);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
