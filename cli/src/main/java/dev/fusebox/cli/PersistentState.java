package dev.fusebox.cli;

import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.tools.EmbeddingStore;
import dev.fusebox.gateway.upstream.CatalogStore;
import org.jspecify.annotations.Nullable;

/// What is kept from one run of a gateway to the next. Immutable.
///
/// @param servers what they offered
/// @param embeddingStore what the model has read of it
record PersistentState(CatalogStore servers, EmbeddingStore embeddingStore) {
    static final PersistentState NOTHING = new PersistentState(CatalogStore.NONE, EmbeddingStore.NOTHING);

    /// Whether the model reads the tools as soon as they are known.
    boolean isReadAhead() {
        return !embeddingStore.equals(EmbeddingStore.NOTHING);
    }

    /// For a command that ends soon: the model reads nothing ahead for it.
    ///
    /// @param cache null if there is no place for one
    static PersistentState listsIn(@Nullable SchemaCache cache) {
        return cache == null ? NOTHING : new PersistentState(cache, EmbeddingStore.NOTHING);
    }

    /// @param cache null if there is no place for one
    static PersistentState in(@Nullable SchemaCache cache) {
        return cache == null ? NOTHING : new PersistentState(cache, cache.embeddingStore());
    }
}
