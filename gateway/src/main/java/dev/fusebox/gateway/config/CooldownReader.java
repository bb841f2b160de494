package dev.fusebox.gateway.config;

import dev.fusebox.breaker.Cooldown;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Reads how long a breaker stays open. Immutable.
///
/// @param layers the sections that may set it, the strongest first
/// @param home the section in which errors are reported
record CooldownReader(Layers layers, Section home, Keys keys) {
    /// The keys that set it. Immutable.
    record Keys(Key<Long> base, Key<Double> growth, Key<Long> max) {}

    /// Null if the values contradict each other; then an error was reported.
    @Nullable
    Cooldown cooldown(double jitter) {
        long base = layers.value(keys.base());
        double growth = layers.value(keys.growth());
        Long written = layers.written(keys.max());
        long usual = growth == 1 ? base : Math.max(base, layers.value(keys.max()));
        long max = written == null ? usual : written;
        if (max < base) {
            Key<Long> said = home.has(keys.max()) ? keys.max() : keys.base();
            home.at(said).error("makes maxCooldownMs, " + max + ", shorter than cooldownMs, " + base);
            return null;
        }
        return new Cooldown(Duration.ofMillis(base), growth, Duration.ofMillis(max), jitter);
    }
}
