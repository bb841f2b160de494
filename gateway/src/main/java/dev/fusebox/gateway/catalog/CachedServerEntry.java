package dev.fusebox.gateway.catalog;

import dev.fusebox.client.Promise;
import dev.fusebox.gateway.era.EraStore;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The cache entry of one server, as one configuration describes it: its lists, when they were read, and its
/// protocol era. Thread-safe; only [#load] blocks, for less than a second.
public final class CachedServerEntry implements EraStore {
    /// If the disk is slower than this, the era is detected by a probe instead.
    private static final Duration DEADLINE = Duration.ofMillis(850);

    /// An unchanged list is rewritten only after this time, so that other gateways do not treat the entry as
    /// outdated.
    private static final Duration FRESH = Duration.ofHours(1);

    private final Platform platform;
    private final CatalogStore catalogStore;
    private final String server;
    private final CacheKey key;
    private final Promise<Boolean> restored = new Promise<>();
    private @Nullable CachedContents entry;
    private @Nullable ProbeResult era;

    /// Written under the monitor only.
    private volatile SharingHistory sharing = SharingHistory.NOTHING;

    /// Null until it has been computed.
    private @Nullable String launch;

    public CachedServerEntry(Platform platform, CatalogStore catalogStore, String server, CacheKey key) {
        this.platform = platform;
        this.catalogStore = catalogStore;
        this.server = server;
        this.key = key;
        if (key.identity().isEmpty() || catalogStore.equals(CatalogStore.NONE)) {
            restored.complete(true);
        }
    }

    /// Takes over the entry found in the cache, or null if there is none. Facts found in the meantime take
    /// precedence.
    public void restored(@Nullable CachedContents found) {
        synchronized (this) {
            if (entry == null && found != null) {
                entry = found;
                era = era == null ? found.era() : era;
                sharing = sharing.and(found.sharing());
                forgetFormerLaunch();
            }
        }
        restored.complete(true);
    }

    /// Takes over an entry if another gateway has read the lists since.
    ///
    /// @return whether the entry was newer
    public synchronized boolean renewed(CachedContents found) {
        boolean isNewer = found.readAt() != null
                && (entry == null || entry.readAt() == null || found.readAt().isAfter(entry.readAt()));
        if (isNewer) {
            entry = found;
            sharing = found.sharing().withAsked(sharing.asked());
        }
        return isNewer;
    }

    // ---- The era

    @Override
    public @Nullable ProbeResult load() {
        try {
            restored.await(platform, DEADLINE);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            return era;
        }
    }

    /// Without a list there is no cache entry yet; the era is then written together with the first list.
    @Override
    public synchronized void keep(ProbeResult probeResult) {
        era = probeResult;
        if (entry != null && entry.era() != probeResult) {
            rewrite(entry);
        }
    }

    // ---- Sharing

    /// What the server has shown about sharing its process.
    public SharingHistory sharing() {
        return sharing;
    }

    /// Notes that it has answered a call of a client with these capabilities, and asked nothing.
    public void noteUnused(Set<String> capabilities) {
        if (!sharing.unused().containsAll(capabilities)) {
            note(known -> known.withUnused(capabilities));
        }
    }

    /// Notes that it has shown the lists of this entry to a client with these capabilities.
    public void noteAlike(String profile) {
        if (!sharing.alike().contains(profile)) {
            note(known -> known.withAlike(profile));
        }
    }

    /// Notes what it has asked; returns whether that is new.
    public synchronized boolean noteAsked(Asking other) {
        boolean isNew = other.compareTo(sharing.asked()) > 0;
        if (isNew) {
            note(known -> known.withAsked(other));
        }
        return isNew;
    }

    /// Before the first list there is no entry; the history is then written together with the list.
    private synchronized void note(UnaryOperator<SharingHistory> change) {
        sharing = change.apply(sharing);
        if (entry != null) {
            rewrite(entry);
        }
    }

    /// Writes the entry with what is known by now.
    private void rewrite(CachedContents known) {
        write(new CachedContents(known.contents(), era, known.readAt(), known.launch(), known.profile(), sharing));
    }

    // ---- The lists

    /// Records lists that the server has just returned.
    ///
    /// @param profile client capabilities that the server was given; null if unknown
    public synchronized void listed(CatalogContents contents, @Nullable String profile) {
        boolean isSame = entry != null
                && entry.contents().equals(contents)
                && entry.era() == era
                && !isLaunchChanged(entry)
                && Objects.equals(entry.profile(), profile)
                && !isOlderThan(FRESH, entry.readAt());
        boolean isChanged = entry == null || !entry.contents().equals(contents);
        if (isChanged) {
            sharing = sharing.withLists(profile);
        }
        if (!isSame) {
            write(new CachedContents(contents, era, platform.wallClock().instant(), launch, profile, sharing));
        }
        if (!isChanged && profile != null) {
            noteAlike(profile);
        }
    }

    private void write(CachedContents next) {
        entry = next;
        if (!key.identity().isEmpty()) {
            catalogStore.keep(key.identity(), CatalogContentsJson.text(server, next));
        }
    }

    /// A timestamp in the future counts as old: the clock was wrong then, or is wrong now.
    private boolean isOlderThan(Duration age, @Nullable Instant readAt) {
        Instant now = platform.wallClock().instant();
        return readAt == null || readAt.isAfter(now) || readAt.isBefore(now.minus(age));
    }

    /// Whether the cached lists are older than this, or were read before the server's launch files changed.
    public synchronized boolean isOutdated(Duration age) {
        return entry != null && (isOlderThan(age, entry.readAt()) || isLaunchChanged(entry));
    }

    // ---- The launch

    /// Computes the checksum of the launch files. Blocks on disk reads.
    public void readLaunch() {
        String now = key.identity().isEmpty() ? "" : key.launch().get();
        synchronized (this) {
            launch = now.isEmpty() ? null : now;
            forgetFormerLaunch();
        }
    }

    /// Another version of the program may ask for what the former one did not.
    private void forgetFormerLaunch() {
        if (entry != null && isLaunchChanged(entry)) {
            sharing = sharing.ofNewLaunch();
        }
    }

    /// An unknown checksum does not count as a change.
    private boolean isLaunchChanged(CachedContents cached) {
        return launch != null && cached.launch() != null && !launch.equals(cached.launch());
    }
}
