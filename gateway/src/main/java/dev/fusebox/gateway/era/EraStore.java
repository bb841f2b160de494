package dev.fusebox.gateway.era;

import org.jspecify.annotations.Nullable;

/// Keeps the protocol era that a server was found to speak, so that the next start need not probe for it.
/// Thread-safe.
public interface EraStore {
    /// Remembers nothing.
    EraStore NONE = new EraStore() {
        @Override
        public @Nullable Verdict recall() {
            return null;
        }

        @Override
        public void keep(Verdict verdict) {
            // No one asks for it.
        }
    };

    /// The answer of an earlier probe.
    enum Verdict {
        /// It does not take `server/discover`, and shakes hands.
        LEGACY,
        /// It answers `server/discover`.
        MODERN
    }

    /// The last verdict; null if none is known. Blocks for a second at most.
    @Nullable
    Verdict recall();

    /// Has this kept in place of the last one. Does not block.
    void keep(Verdict verdict);
}
