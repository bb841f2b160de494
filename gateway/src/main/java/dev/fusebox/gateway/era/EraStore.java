package dev.fusebox.gateway.era;

import org.jspecify.annotations.Nullable;

/// A store for the detected protocol era of a server, so that the next start need not probe for it.
/// Thread-safe.
public interface EraStore {
    /// A store that keeps nothing.
    EraStore NONE = new EraStore() {
        @Override
        public @Nullable ProbeResult load() {
            return null;
        }

        @Override
        public void keep(ProbeResult probeResult) {
            // Never read again.
        }
    };

    /// The result of an earlier probe.
    enum ProbeResult {
        /// It does not accept `server/discover`, and performs the handshake.
        LEGACY,
        /// It answers `server/discover`.
        MODERN
    }

    /// The last verdict; null if none is known. Blocks for a second at most.
    @Nullable
    ProbeResult load();

    /// Replaces the stored verdict. Does not block.
    void keep(ProbeResult probeResult);
}
