package dev.fusebox.gateway.era;

import org.jspecify.annotations.Nullable;

/// A store for the detected protocol era of a server, so that the next start need not probe for it.
/// Thread-safe.
public interface EraStore {
    /// A store that keeps nothing.
    EraStore NONE = new EraStore() {
        @Override
        public @Nullable Verdict load() {
            return null;
        }

        @Override
        public void keep(Verdict verdict) {
            // Never read again.
        }
    };

    /// The result of an earlier probe.
    enum Verdict {
        /// It does not accept `server/discover`, and performs the handshake.
        LEGACY,
        /// It answers `server/discover`.
        MODERN
    }

    /// The last verdict; null if none is known. Blocks for a second at most.
    @Nullable
    Verdict load();

    /// Replaces the stored verdict. Does not block.
    void keep(Verdict verdict);
}
