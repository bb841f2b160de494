package dev.fusebox.gateway.upstream;

import org.jspecify.annotations.Nullable;

/// Keeps what servers offer from one run to the next. It helps, and it never rules: what a server says itself
/// goes before what is remembered of it. Thread-safe.
public interface CatalogStore {
    /// Remembers nothing.
    CatalogStore NONE = new CatalogStore() {
        @Override
        public byte @Nullable [] recall(String identity) {
            return null;
        }

        @Override
        public void keep(String identity, String text) {
            // Nobody asks for it.
        }
    };

    /// What was kept of a server; null if nothing was, or it cannot be had. Blocks as the disk does.
    ///
    /// @param identity of the server: who it is and how it is reached
    byte @Nullable [] recall(String identity);

    /// Has this kept in the place of what was. Does not block.
    void keep(String identity, String text);
}
