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

/// A write-behind queue for files, with a thread that lives only while there is something to write. Failures are
/// logged and otherwise ignored. Thread-safe; only [#close] blocks.
final class WriteBehind implements AutoCloseable {
    /// The time for pending writes at the end.
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private static final Duration WARNING_INTERVAL = Duration.ofMinutes(1);

    private final Platform platform;
    private final System.Logger log;
    private final SequencedMap<String, Write> waiting = new LinkedHashMap<>();
    private boolean isWriting;
    private @Nullable Long warnedAt;
    private volatile @Nullable Thread closing;

    /// A write of one file. Blocks on disk access.
    interface Write {
        void write() throws IOException;
    }

    WriteBehind(Platform platform, System.Logger log) {
        this.platform = platform;
        this.log = log;
    }

    /// Schedules a write, in place of a pending one for the same file. Ignored after the end, because the folder
    /// may be gone.
    synchronized void add(String file, Write write) {
        if (closing != null) {
            return;
        }
        waiting.put(file, write);
        begin();
    }

    /// A failure to start the thread must not fail the caller.
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

    // ---- On the writer thread

    /// If this thread fails, another one writes the pending content.
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

    /// @param hasBegun whether at least one write was taken: if none was, the thread is restarted only by the next
    /// write
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

    /// The oldest pending write; null if there is none, and then the thread ends.
    private synchronized @Nullable Write next() {
        Map.Entry<String, Write> next = waiting.pollFirstEntry();
        isWriting = next != null;
        return next == null ? null : next.getValue();
    }

    private void warn(Throwable why) {
        Long before = warnedAt;
        long now = platform.ticker().nanos();
        if (before == null || now - before >= WARNING_INTERVAL.toNanos()) {
            warnedAt = now;
            log.log(
                    Level.WARNING,
                    "cannot write the schema or embedding cache for the next start; nothing else is"
                            + " affected: "
                            + why.getClass().getSimpleName() + ": " + why.getMessage());
        }
    }

    private synchronized boolean isAtRest() {
        return !isWriting;
    }

    /// Writes what is pending, unless the disk hangs. Blocks for at most a second.
    @Override
    public void close() {
        closing = Thread.currentThread();
        begin();
        try {
            platform.await(CLOSE_LIMIT, this::isAtRest);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
