package dev.fusebox.gateway.tools;

import dev.fusebox.client.Promise;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.search.SearchIndex;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The features of tools between runs: loads those of earlier runs for the first index, and stores new ones after a
/// while, because servers are often read one after the other. Thread-safe; only [#take] blocks, for less than a second.
final class StoredFeatures implements AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(StoredFeatures.class);

    /// If the disk is slower than this, the tools are read again.
    private static final Duration DISK_LIMIT = Duration.ofMillis(500);

    /// A server that changes its tools all the time must not keep the disk busy.
    private static final Duration STORE_DELAY = Duration.ofSeconds(20);

    private final Platform platform;
    private final FeatureStore featureStore;

    /// Null when nothing is being loaded, or the first index has taken it.
    private @Nullable Promise<Optional<byte[]>> loading;

    /// The index to be stored next; null if there is none.
    private @Nullable SearchIndex unstored;

    private @Nullable Timer timer;

    /// The last index that was considered.
    private @Nullable SearchIndex last;

    StoredFeatures(Platform platform, FeatureStore featureStore) {
        this.platform = platform;
        this.featureStore = featureStore;
    }

    /// Loads in the background what earlier runs have stored, and what else the first search needs.
    void preload(Runnable more) {
        Promise<Optional<byte[]>> loaded = new Promise<>();
        synchronized (this) {
            loading = loaded;
        }
        try {
            Thread.ofPlatform().daemon().name("fusebox-preload").start(() -> {
                loaded.complete(read());
                more.run();
            });
        } catch (RuntimeException | Error noThread) {
            // The first search then does it itself.
            LOG.log(Level.DEBUG, "cannot load the search in advance: " + noThread);
            loaded.complete(Optional.empty());
        }
    }

    private Optional<byte[]> read() {
        try {
            return Optional.ofNullable(featureStore.load());
        } catch (RuntimeException | Error unusable) {
            LOG.log(Level.WARNING, "the cached index of tools is unreadable; rebuilding it: " + unusable);
            return Optional.empty();
        }
    }

    /// What was loaded, for the first caller only: it is not kept in memory.
    byte @Nullable [] take() {
        Promise<Optional<byte[]>> loaded;
        synchronized (this) {
            loaded = loading;
            loading = null;
        }
        try {
            Optional<byte[]> stored = loaded == null ? null : loaded.await(platform, DISK_LIMIT);
            return stored == null ? null : stored.orElse(null);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /// Stores the features of an index later, if it has new ones.
    void note(SearchIndex searchIndex) {
        synchronized (this) {
            if (searchIndex.equals(last)) {
                return;
            }
            last = searchIndex;
        }
        if (!featureStore.equals(FeatureStore.NOTHING) && searchIndex.hasNewFeatures()) {
            synchronized (this) {
                unstored = searchIndex;
                timer = timer == null ? platform.timers().schedule(STORE_DELAY, this::store) : timer;
            }
        }
    }

    private void store() {
        SearchIndex next;
        synchronized (this) {
            next = unstored;
            unstored = null;
            timer = null;
        }
        if (next != null) {
            featureStore.keep(next);
        }
    }

    /// Schedules what is left to be written.
    @Override
    public void close() {
        Timer pending;
        synchronized (this) {
            pending = timer;
        }
        if (pending != null) {
            pending.cancel();
        }
        store();
    }
}
