package dev.fusebox.gateway.tools;

import dev.fusebox.search.SearchIndex;
import org.jspecify.annotations.Nullable;

/// A persistent store for what the search knows of tools without the sentence model: right after a start, reading the
/// texts of five hundred tools takes two tenths of a second. It is an optimization, and failures do not matter.
/// Thread-safe.
public interface FeatureStore {
    /// Stores nothing.
    FeatureStore NOTHING = new FeatureStore() {
        @Override
        public byte @Nullable [] load() {
            return null;
        }

        @Override
        public void keep(SearchIndex searchIndex) {
            // No-op by design.
        }
    };

    /// The stored features; null if there are none or they cannot be read. Blocks on disk access.
    byte @Nullable [] load();

    /// Schedules the features of these tools to be written with those of other gateways. Does not block.
    void keep(SearchIndex searchIndex);
}
