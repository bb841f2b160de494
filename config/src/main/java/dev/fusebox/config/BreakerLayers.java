package dev.fusebox.config;

import org.jspecify.annotations.Nullable;

/// The sections of a file, and the options above it, that set values of breakers. Immutable.
///
/// @param flags options of the command line
/// @param breaker the section `breaker` of the file
/// @param pool the section `pool` of the file, which may set two of the values
record BreakerLayers(ConfigSection flags, ConfigSection breaker, ConfigSection pool) {
    /// Reports errors of the file once, and not for each server.
    void check() {
        agree(BreakerSection.FAILURE_THRESHOLD, PoolSection.FAILURE_THRESHOLD);
        agree(BreakerSection.COOLDOWN_MS, PoolSection.COOLDOWN_MS);
        read(ConfigSection.empty(breaker.location()), breaker);
    }

    private void agree(ConfigKey<Long> ofBreaker, ConfigKey<Long> ofPool) {
        Long inPool = pool.written(ofPool);
        if (breaker.isSet(ofBreaker) && inPool != null && !inPool.equals(breaker.written(ofBreaker))) {
            pool.at(ofPool)
                    .error("differs from /breaker/" + ofBreaker.name()
                            + ", which is the same setting; remove one of them");
        }
    }

    /// The preset of a server, or the one of the file; null if neither has one.
    @Nullable
    BreakerPreset preset(ConfigSection server) {
        return server.over(breaker).written(BreakerSection.PRESET);
    }

    /// The breaker of a server. Errors of the file alone are not reported again.
    ///
    /// @param server the section `breaker` of the server
    BreakerConfig read(ConfigSection server) {
        ProblemList known = breaker.location().problems();
        boolean isItsFault = !server.locations().isEmpty() && !known.hasErrors();
        return read(server, isItsFault ? server : ConfigSection.empty(SourceLocation.unknown(known.apart())));
    }

    /// The options first, then the server, the file and the preset.
    private BreakerConfig read(ConfigSection server, ConfigSection home) {
        BreakerPreset preset = preset(server);
        ConfigSection ofPreset = ConfigSection.parse(BreakerSection.SECTION, preset == null ? "{}" : preset.breaker());
        return BreakerSection.read(flags.over(server, breaker, pool, ofPreset), home);
    }
}
