package dev.fusebox.gateway.catalog;

import org.jspecify.annotations.Nullable;

/// A persistent cache of server catalogs. It is only a hint: what a server itself returns takes precedence.
/// Thread-safe.
public interface CatalogStore {
    /// A store that keeps nothing.
    CatalogStore NONE = new CatalogStore() {
        @Override
        public byte @Nullable [] load(String identity) {
            return null;
        }

        @Override
        public void keep(String identity, String text) {
            // Never read again.
        }
    };

    /// The stored entry of a server; null if there is none, or it cannot be read. Blocks on the disk.
    ///
    /// @param identity of the server and how it is reached
    byte @Nullable [] load(String identity);

    /// Replaces the stored entry. Does not block.
    void keep(String identity, String text);
}
