package dev.fusebox.gateway.cache;

import dev.fusebox.gateway.tools.EmbeddingStore;
import dev.fusebox.gateway.upstream.CatalogStore;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Keeps what servers offer in files. What cannot be read or written is left out and told in the log; nobody who
/// is served waits for the disk. Thread-safe.
public final class SchemaCache implements CatalogStore, AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(SchemaCache.class);

    private final Platform platform;
    private final CacheFolder folder;
    private final String scope;
    private final WriteBehind writeBehind;
    private final AtomicBoolean swept = new AtomicBoolean();

    /// @param scope whose servers these are: two of one name are different where the configurations are
    public SchemaCache(Platform platform, Path folder, String scope) {
        this.platform = platform;
        this.folder = new CacheFolder(folder);
        this.scope = scope;
        this.writeBehind = new WriteBehind(platform, LOG);
    }

    /// What the model has read is kept there, too.
    public EmbeddingStore embeddingStore() {
        return new VectorCache(folder.vectors(), writeBehind, LOG);
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
                folder.sweep(platform.wallClock().instant());
            } catch (IOException | RuntimeException stays) {
                LOG.log(
                        Level.WARNING,
                        "what is no longer needed of what servers offered cannot be removed: " + stays.getMessage());
            }
        }
    }

    @Override
    public void keep(String identity, String text) {
        String whose = scoped(identity);
        writeBehind.add(whose, () -> folder.write(whose, text.getBytes(StandardCharsets.UTF_8)));
    }

    /// Has what was kept removed. Does not block.
    public void forget(String identity) {
        String whose = scoped(identity);
        writeBehind.add(whose, () -> folder.remove(whose));
    }

    private String scoped(String identity) {
        return scope + "\n" + identity;
    }

    /// What waits is still written, unless the disk hangs. Blocks for a second at most.
    @Override
    public void close() {
        writeBehind.close();
    }
}
