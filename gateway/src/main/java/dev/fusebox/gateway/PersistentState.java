package dev.fusebox.gateway;

import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.task.TaskKey;
import dev.fusebox.gateway.tools.EmbeddingStore;
import dev.fusebox.gateway.tools.FeatureStore;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The state that a gateway keeps between runs. Immutable.
///
/// @param servers their cached catalogs
/// @param embeddingStore the cached embeddings of tools
/// @param featureStore what else search has cached of tools
/// @param loginFolder of the stored logins; null for a gateway without logins
/// @param taskKey signs the ids of tasks
public record PersistentState(
        CatalogStore servers,
        EmbeddingStore embeddingStore,
        FeatureStore featureStore,
        @Nullable Path loginFolder,
        TaskKey taskKey) {
    public static final PersistentState NOTHING = of(CatalogStore.NONE, EmbeddingStore.NOTHING, FeatureStore.NOTHING);

    private static PersistentState of(CatalogStore servers, EmbeddingStore embeddings, FeatureStore features) {
        return new PersistentState(servers, embeddings, features, null, TaskKey.OF_THIS_RUN);
    }

    /// The same with logins.
    ///
    /// @param folder null for none
    public PersistentState withLogins(@Nullable Path folder) {
        return new PersistentState(servers, embeddingStore, featureStore, folder, taskKey);
    }

    /// The same with a stored key for the ids of tasks.
    ///
    /// @param file null for none
    PersistentState withTaskKey(@Nullable Path file) {
        return new PersistentState(servers, embeddingStore, featureStore, loginFolder, new TaskKey(file));
    }

    /// Whether embeddings are computed as soon as tools are known.
    boolean isReadAhead() {
        return !embeddingStore.equals(EmbeddingStore.NOTHING);
    }

    /// For a short-lived command, which computes no embeddings ahead of a search.
    ///
    /// @param servers null if there is no place for them
    public static PersistentState listsIn(@Nullable CatalogStore servers) {
        return servers == null ? NOTHING : of(servers, EmbeddingStore.NOTHING, FeatureStore.NOTHING);
    }

    /// For a gateway that serves.
    ///
    /// @param cache null if there is no place for one
    public static PersistentState in(@Nullable SchemaCache cache) {
        return cache == null ? NOTHING : of(cache, cache.embeddingStore(), cache.featureStore());
    }
}
