package dev.fusebox.gateway.config;

import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;

/// A line of the table of keys, which is all that reader, schema and documentation know of it. Immutable.
///
/// @param preset what it is if it is left out, as JSON; empty for nothing
/// @param meaning for people, one sentence or two
/// @param use for which servers it means anything
/// @param isNullable whether `null` may be written: for none
record ConfigKey<T>(String name, ValueType<T> valueType, String preset, String meaning, Use use, boolean isNullable) {
    /// For which servers a key means anything.
    enum Use {
        /// For all, or it is no key of a server.
        ALL,
        /// For those that are processes of our own.
        PROCESS,
        /// For those with a url.
        URL
    }

    static <T> ConfigKey<T> of(String name, ValueType<T> valueType, String preset, String meaning) {
        return new ConfigKey<>(name, valueType, preset, meaning, Use.ALL, false);
    }

    /// Means nothing if it is left out.
    static <T> ConfigKey<T> of(String name, ValueType<T> valueType, String meaning) {
        return of(name, valueType, "", meaning);
    }

    ConfigKey<T> forProcess() {
        return new ConfigKey<>(name, valueType, preset, meaning, Use.PROCESS, isNullable);
    }

    ConfigKey<T> forUrl() {
        return new ConfigKey<>(name, valueType, preset, meaning, Use.URL, isNullable);
    }

    ConfigKey<T> orNull() {
        return new ConfigKey<>(name, valueType, preset, meaning, use, true);
    }

    /// What it is if it is left out; null for nothing.
    @Nullable
    T usual() {
        if (preset.isEmpty() || preset.equals("null")) {
            return null;
        }
        JsonView json = JsonView.of(preset);
        return valueType.read(
                json, SourceLocation.nowhere(new ProblemList(SourceText.of("the table of keys", json.bytes()))));
    }
}
