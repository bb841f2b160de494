package dev.fusebox.gateway.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sections that speak of the same keys: the first that says something of a key is heard. Immutable.
///
/// @param first the strongest
/// @param others the stronger first
record LayeredSection(ConfigSection first, List<ConfigSection> others) {
    /// What the strongest says that says anything; null for nothing.
    <T> @Nullable T written(ConfigKey<T> key) {
        ConfigSection speaker = speaker(key);
        return speaker == null ? null : speaker.written(key);
    }

    /// The same, or what is usual; null if neither is anything.
    <T> @Nullable T orUsual(ConfigKey<T> key) {
        ConfigSection speaker = speaker(key);
        return speaker == null ? key.usual() : speaker.written(key);
    }

    /// The same of a key that always is something.
    <T> T value(ConfigKey<T> key) {
        ConfigSection speaker = speaker(key);
        return speaker == null ? first.value(key) : speaker.value(key);
    }

    boolean says(ConfigKey<?> key) {
        return speaker(key) != null;
    }

    private @Nullable ConfigSection speaker(ConfigKey<?> key) {
        if (first.says(key)) {
            return first;
        }
        for (ConfigSection other : others) {
            if (other.says(key)) {
                return other;
            }
        }
        return null;
    }
}
