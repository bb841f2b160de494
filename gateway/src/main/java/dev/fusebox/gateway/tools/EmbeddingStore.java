package dev.fusebox.gateway.tools;

import dev.fusebox.search.VectorStore;
import org.jspecify.annotations.Nullable;

/// A persistent store for computed embeddings: computing those of five hundred tools takes several seconds. It is an
/// optimization, and failures do not matter. Thread-safe.
public interface EmbeddingStore {
    /// Stores nothing.
    EmbeddingStore NOTHING = new EmbeddingStore() {
        @Override
        public byte @Nullable [] load() {
            return null;
        }

        @Override
        public void keep(VectorStore vectors) {
            // No-op by design.
        }
    };

    /// The stored vectors; null if there are none or they cannot be read. Blocks on disk access.
    byte @Nullable [] load();

    /// Schedules these vectors to be written, as they are at that time, merged with those of other gateways. Does
    /// not block.
    void keep(VectorStore vectors);
}
