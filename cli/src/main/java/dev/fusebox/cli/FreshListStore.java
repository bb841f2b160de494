package dev.fusebox.cli;

import dev.fusebox.gateway.catalog.CatalogStore;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A catalog store that keeps the lists of this run in memory, in front of the cache on disk, which may not be
/// writable. Thread-safe; [#load] blocks as the cache does.
final class FreshListStore implements CatalogStore {
    private final CatalogStore cache;
    private final Map<String, byte[]> fresh = new ConcurrentHashMap<>();

    FreshListStore(CatalogStore cache) {
        this.cache = cache;
    }

    @Override
    public byte @Nullable [] load(String identity) {
        byte[] read = fresh.get(identity);
        return read == null ? cache.load(identity) : read.clone();
    }

    @Override
    public void keep(String identity, String text) {
        fresh.put(identity, text.getBytes(StandardCharsets.UTF_8));
        cache.keep(identity, text);
    }
}
