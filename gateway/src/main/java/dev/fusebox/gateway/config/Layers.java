package dev.fusebox.gateway.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sections that speak of the same keys: the first that says something of a key is heard. Immutable.
///
/// @param first the strongest
/// @param others the stronger first
record Layers(Section first, List<Section> others) {
    /// What the strongest says that says anything; null for nothing.
    <T> @Nullable T written(Key<T> key) {
        Section speaker = speaker(key);
        return speaker == null ? null : speaker.written(key);
    }

    /// The same, or what is usual; null if neither is anything.
    <T> @Nullable T orUsual(Key<T> key) {
        Section speaker = speaker(key);
        return speaker == null ? key.usual() : speaker.written(key);
    }

    /// The same of a key that always is something.
    <T> T value(Key<T> key) {
        Section speaker = speaker(key);
        return speaker == null ? first.value(key) : speaker.value(key);
    }

    boolean says(Key<?> key) {
        return speaker(key) != null;
    }

    private @Nullable Section speaker(Key<?> key) {
        if (first.says(key)) {
            return first;
        }
        for (Section other : others) {
            if (other.says(key)) {
                return other;
            }
        }
        return null;
    }
}
