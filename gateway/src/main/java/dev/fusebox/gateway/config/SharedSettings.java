package dev.fusebox.gateway.config;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Preset;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What the file says for all servers, and options above it. Immutable.
///
/// @param flags options that speak of breakers
/// @param breaker of the file
/// @param pool of the file, as far as it speaks of breakers
/// @param file the whole of it
record SharedSettings(ConfigSection flags, ConfigSection breaker, ConfigSection pool, ConfigSection file) {
    static SharedSettings of(ConfigSection file, Overrides overrides) {
        ConfigSection pool = file.section(FileKeys.POOL);
        return new SharedSettings(
                overrides.section(SectionType.BREAKER, file.location().problems()),
                file.section(FileKeys.BREAKER),
                pool,
                file);
    }

    /// The policy without any server, so that what is wrong with it is told once.
    void check() {
        agree(BreakerKeys.FAILURE_THRESHOLD, PoolKeys.FAILURE_THRESHOLD);
        agree(BreakerKeys.COOLDOWN_MS, PoolKeys.COOLDOWN_MS);
        policy(ConfigSection.empty(breaker.location()), Duration.ofMinutes(1), breaker);
    }

    private void agree(ConfigKey<Long> ofBreaker, ConfigKey<Long> ofPool) {
        Long inBreaker = breaker.written(ofBreaker);
        Long inPool = pool.written(ofPool);
        if (breaker.says(ofBreaker) && inPool != null && !inPool.equals(inBreaker)) {
            pool.at(ofPool)
                    .error("says something else than /breaker/" + ofBreaker.name()
                            + ", which is the same setting; take one of them out");
        }
    }

    /// The preset of a server, or the one of the file; null if neither has any.
    @Nullable
    Preset preset(ConfigSection server) {
        return server.over(breaker).written(BreakerKeys.PRESET);
    }

    /// The policy of a server. What is wrong with the file alone has been told and is not the server's fault.
    BreakerPolicy policy(ConfigSection server, Duration callTimeout) {
        ProblemList told = breaker.location().problems();
        boolean isItsFault = !server.locations().isEmpty() && !told.hasErrors();
        return policy(
                server, callTimeout, isItsFault ? server : ConfigSection.empty(SourceLocation.nowhere(told.apart())));
    }

    /// Flags before server before file before preset.
    private BreakerPolicy policy(ConfigSection server, Duration callTimeout, ConfigSection home) {
        ConfigSection preset = PresetSection.of(preset(server), home.location().problems());
        return new BreakerReader(flags.over(server, breaker, pool, preset), home).policy(callTimeout);
    }
}
