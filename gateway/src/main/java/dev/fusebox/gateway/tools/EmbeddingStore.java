package dev.fusebox.gateway.tools;

import dev.fusebox.search.VectorStore;
import org.jspecify.annotations.Nullable;

/// Keeps what the model has read from one run to the next: five hundred tools take it half a minute. It helps, and
/// nobody needs it. Thread-safe.
public interface EmbeddingStore {
    /// Keeps nothing.
    EmbeddingStore NOTHING = new EmbeddingStore() {
        @Override
        public byte @Nullable [] recall() {
            return null;
        }

        @Override
        public void keep(VectorStore vectors) {
            // Nobody asks for it.
        }
    };

    /// The vectors that were kept; null if none were, or they cannot be had. Blocks as the disk does.
    byte @Nullable [] recall();

    /// Has these kept, as they are when it comes to that, beside those of others. Does not block.
    void keep(VectorStore vectors);
}
