package dev.fusebox.gateway.cache;

import dev.fusebox.gateway.crowd.Memory;
import dev.fusebox.world.World;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Keeps what servers offer in files. What cannot be read or written is left out and told in the log; nobody who is
/// served waits for the disk: a thread of its own writes, as long as there is something to write. Thread-safe.
public final class SchemaCache implements Memory, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SchemaCache.class.getName());

    /// What is still waiting at the end has so long.
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

    private final World world;
    private final CacheFolder folder;
    private final String scope;
    private final SequencedMap<String, String> waiting = new LinkedHashMap<>();
    private boolean isWriting;
    private final AtomicBoolean swept = new AtomicBoolean();
    private @Nullable Long warnedAt;
    private volatile @Nullable Thread closing;

    /// @param scope whose servers these are: two of one name are different where the configurations are
    public SchemaCache(World world, Path folder, String scope) {
        this.world = world;
        this.folder = new CacheFolder(folder);
        this.scope = scope;
    }

    @Override
    public byte @Nullable [] recall(String identity) {
        try {
            sweepOnce();
            return folder.read(scoped(identity));
        } catch (IOException | RuntimeException unusable) {
            LOG.log(
                    Level.WARNING,
                    "what a server offered when it was last seen cannot be read and is ignored: "
                            + unusable.getMessage());
            return null;
        }
    }

    /// What cannot be removed keeps nobody from what can be read.
    private void sweepOnce() {
        if (swept.compareAndSet(false, true)) {
            try {
                folder.sweep(world.wallClock().instant());
            } catch (IOException | RuntimeException stays) {
                LOG.log(
                        Level.WARNING,
                        "what is no longer needed of what servers offered cannot be removed: " + stays.getMessage());
            }
        }
    }

    @Override
    public synchronized void keep(String identity, String text) {
        waiting.put(scoped(identity), text);
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

    private String scoped(String identity) {
        return scope + "\n" + identity;
    }

    // ---- On its own thread

    /// Whatever ends it, what waits is written by another.
    private void writeAll() {
        boolean isDone = false;
        boolean hasBegun = false;
        try {
            for (Map.Entry<String, String> next = next(); next != null; next = next()) {
                hasBegun = true;
                write(next.getKey(), next.getValue());
            }
            isDone = true;
        } finally {
            if (!isDone) {
                stopped(hasBegun);
            }
            LockSupport.unpark(closing);
        }
    }

    /// @param hasBegun whether less waits than before: where nothing can be done at all, the next that is kept is tried
    private synchronized void stopped(boolean hasBegun) {
        isWriting = false;
        if (hasBegun) {
            begin();
        }
    }

    private void write(String identity, String text) {
        try {
            folder.write(identity, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException | Error unwritable) {
            warn(unwritable);
        }
    }

    /// What waits longest; null if nothing does, and then the thread ends.
    private synchronized Map.@Nullable Entry<String, String> next() {
        Map.Entry<String, String> next = waiting.pollFirstEntry();
        isWriting = next != null;
        return next;
    }

    private void warn(Throwable why) {
        Long before = warnedAt;
        long now = world.ticker().nanos();
        if (before == null || now - before >= BETWEEN_WARNINGS.toNanos()) {
            warnedAt = now;
            LOG.log(
                    Level.WARNING,
                    "what servers offer cannot be kept for the next start; nothing else is affected: "
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
            world.await(FAREWELL, this::isAtRest);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
