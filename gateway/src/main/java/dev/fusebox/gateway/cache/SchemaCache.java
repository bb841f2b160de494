package dev.fusebox.gateway.cache;

import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.tools.EmbeddingStore;
import dev.fusebox.gateway.tools.FeatureStore;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The persistent cache of server catalogs, in files. Read and write failures are logged and otherwise ignored; no
/// call waits for the disk. Thread-safe.
public final class SchemaCache implements CatalogStore, AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(SchemaCache.class);

    private final Platform platform;
    private final CacheFolder folder;
    private final String scope;
    private final WriteBehind writeBehind;
    private final AtomicBoolean swept = new AtomicBoolean();

    /// @param scope the configuration of these servers: servers of the same name in different configurations are
    /// different
    public SchemaCache(Platform platform, Path folder, String scope) {
        this.platform = platform;
        this.folder = new CacheFolder(folder);
        this.scope = scope;
        this.writeBehind = new WriteBehind(platform, LOG);
    }

    /// The store for embeddings, in the same folder.
    public EmbeddingStore embeddingStore() {
        return new VectorCache(folder.vectors(), writeBehind, LOG);
    }

    /// The store for what search knows of tools without the sentence model, in the same folder.
    public FeatureStore featureStore() {
        return new FeatureCache(folder.features(), writeBehind, LOG);
    }

    @Override
    public byte @Nullable [] load(String identity) {
        try {
            sweepOnce();
            return folder.read(scoped(identity));
        } catch (IOException | RuntimeException unusable) {
            LOG.log(Level.WARNING, "cannot read the schema cache of a server; ignoring it: " + unusable.getMessage());
            return null;
        }
    }

    /// A failed cleanup does not prevent reading.
    private void sweepOnce() {
        if (swept.compareAndSet(false, true)) {
            try {
                folder.sweep(platform.wallClock().instant());
            } catch (IOException | RuntimeException stays) {
                LOG.log(Level.WARNING, "cannot delete stale schema cache entries: " + stays.getMessage());
            }
        }
    }

    @Override
    public void keep(String identity, String text) {
        String whose = scoped(identity);
        writeBehind.add(whose, () -> folder.write(whose, text.getBytes(StandardCharsets.UTF_8)));
    }

    /// Schedules the deletion of an entry. Does not block.
    public void forget(String identity) {
        String whose = scoped(identity);
        writeBehind.add(whose, () -> folder.remove(whose));
    }

    private String scoped(String identity) {
        return scope + "\n" + identity;
    }

    /// Writes what is pending, unless the disk hangs. Blocks for at most a second.
    @Override
    public void close() {
        writeBehind.close();
    }
}
