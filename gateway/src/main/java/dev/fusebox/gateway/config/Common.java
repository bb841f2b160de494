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
record Common(Section flags, Section breaker, Section pool, Section file) {
    static Common of(Section file, Overrides overrides) {
        Section pool = file.section(FileKeys.POOL);
        return new Common(
                overrides.section(Place.BREAKER, file.spot().problems()), file.section(FileKeys.BREAKER), pool, file);
    }

    /// The policy without any server, so that what is wrong with it is told once.
    void check() {
        agree(BreakerKeys.FAILURE_THRESHOLD, PoolKeys.FAILURE_THRESHOLD);
        agree(BreakerKeys.COOLDOWN_MS, PoolKeys.COOLDOWN_MS);
        policy(Section.empty(breaker.spot()), Duration.ofMinutes(1), breaker);
    }

    private void agree(Key<Long> ofBreaker, Key<Long> ofPool) {
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
    Preset preset(Section server) {
        return server.over(breaker).written(BreakerKeys.PRESET);
    }

    /// The policy of a server. What is wrong with the file alone has been told and is not the server's fault.
    BreakerPolicy policy(Section server, Duration callTimeout) {
        Problems told = breaker.spot().problems();
        boolean isItsFault = !server.spots().isEmpty() && !told.hasErrors();
        return policy(server, callTimeout, isItsFault ? server : Section.empty(Spot.nowhere(told.apart())));
    }

    /// Flags before server before file before preset.
    private BreakerPolicy policy(Section server, Duration callTimeout, Section home) {
        Section preset = PresetSection.of(preset(server), home.spot().problems());
        return new BreakerReader(flags.over(server, breaker, pool, preset), home).policy(callTimeout);
    }
}
