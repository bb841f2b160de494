package dev.fusebox.gateway.config;

import dev.fusebox.breaker.Cooldown;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Reads how long a breaker stays open. Immutable.
///
/// @param layeredSection the sections that may set it, the strongest first
/// @param home the section in which errors are reported
record CooldownReader(LayeredSection layeredSection, ConfigSection home, Keys keys) {
    /// The keys that set it. Immutable.
    record Keys(ConfigKey<Long> base, ConfigKey<Double> growth, ConfigKey<Long> max) {}

    /// Null if the values contradict each other; then an error was reported.
    @Nullable
    Cooldown cooldown(double jitter) {
        long base = layeredSection.value(keys.base());
        double growth = layeredSection.value(keys.growth());
        Long written = layeredSection.written(keys.max());
        long usual = growth == 1 ? base : Math.max(base, layeredSection.value(keys.max()));
        long max = written == null ? usual : written;
        if (max < base) {
            ConfigKey<Long> said = home.has(keys.max()) ? keys.max() : keys.base();
            home.at(said).error("makes maxCooldownMs, " + max + ", shorter than cooldownMs, " + base);
            return null;
        }
        return new Cooldown(Duration.ofMillis(base), growth, Duration.ofMillis(max), jitter);
    }
}
