package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Promise;
import dev.fusebox.gateway.catalog.CachedContents;
import dev.fusebox.gateway.catalog.CatalogContentsJson;
import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.catalog.ServerCatalog;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Restores catalogs from the cache at startup, for servers that have not listed anything newer. Reads on a
/// background thread, since the disk may be slow. Thread-safe; nothing blocks.
public final class CatalogRestore {
    private static final System.Logger LOG = LazyLoggers.of(CatalogRestore.class);

    private final Platform platform;
    private final CatalogStore catalogStore;
    private final Runnable show;
    private volatile ServerCatalog.@Nullable Reading latest;

    /// @param show publishes the restored catalogs; must not block
    public CatalogRestore(Platform platform, CatalogStore catalogStore, Runnable show) {
        this.platform = platform;
        this.catalogStore = catalogStore;
        this.show = show;
    }

    /// Restores these servers in the background.
    ///
    /// @param then is run when all entries have been read
    public void begin(List<UpstreamServer> whom, Runnable then) {
        if (catalogStore.equals(CatalogStore.NONE) || whom.isEmpty()) {
            then.run();
            return;
        }
        ServerCatalog.Reading reading =
                new ServerCatalog.Reading(new Promise<>(), platform.ticker().nanos(), false);
        latest = reading;
        readLaunches(whom);
        try {
            Thread.ofPlatform().daemon().name("fusebox-catalog-restore").start(() -> {
                try {
                    read(whom);
                } finally {
                    ended(whom, reading, then);
                }
            });
        } catch (RuntimeException | Error noThread) {
            LOG.log(Level.WARNING, "cannot restore the schema cache: " + noThread);
            ended(whom, reading, then);
        }
    }

    /// Runs on its own thread, since launch files may be on a disk that hangs. An unknown checksum then counts
    /// as unchanged.
    private static void readLaunches(List<UpstreamServer> whom) {
        try {
            Thread.ofPlatform().daemon().name("fusebox-launches").start(() -> whom.forEach(CatalogRestore::readLaunch));
        } catch (RuntimeException | Error noThread) {
            LOG.log(Level.WARNING, "cannot detect upgraded servers: " + noThread);
        }
    }

    private static void readLaunch(UpstreamServer server) {
        try {
            server.cached().readLaunch();
        } catch (RuntimeException unusable) {
            LOG.log(Level.DEBUG, "cannot read the launch files of " + server.id(), unusable);
        }
    }

    /// Releases all waiters, also if the restore could not begin: the servers themselves are then queried.
    private static void ended(List<UpstreamServer> whom, ServerCatalog.Reading reading, Runnable then) {
        whom.forEach(server -> server.cached().restored(null));
        reading.done().complete(true);
        then.run();
    }

    /// The latest restore, to be waited for; null if none was started.
    public ServerCatalog.@Nullable Reading latest() {
        return latest;
    }

    /// Whether cache entries are still being read.
    public boolean isUnderWay() {
        ServerCatalog.Reading reading = latest;
        return reading != null && reading.done().now() == null;
    }

    /// Merges the catalogs once, regardless of the number of restored entries.
    private void read(List<UpstreamServer> whom) {
        List<UpstreamServer> recalled = whom.stream().filter(this::restore).toList();
        if (!recalled.isEmpty()) {
            show.run();
            recalled.forEach(server -> server.catalog().restored());
        }
    }

    /// Restores one server; false if there is nothing to publish.
    private boolean restore(UpstreamServer server) {
        CachedContents entry = entry(server);
        server.cached().restored(entry);
        return entry != null && !server.isLive() && server.restore(entry);
    }

    /// Reads the entry of one server again, since another gateway may have written a newer one. Blocks on the
    /// disk.
    public void again(UpstreamServer server) {
        CachedContents entry = entry(server);
        if (entry != null && server.cached().renewed(entry) && !server.isLive() && server.restore(entry)) {
            show.run();
            server.catalog().restored();
        }
    }

    private @Nullable CachedContents entry(UpstreamServer server) {
        String identity = server.identity();
        byte[] text = identity.isEmpty() ? null : catalogStore.load(identity);
        CachedContents entry = text == null ? null : CatalogContentsJson.read(text);
        if (text != null && entry == null) {
            LOG.log(Level.WARNING, "schema cache of " + server.id() + " is damaged; ignoring it");
        }
        return entry;
    }
}
