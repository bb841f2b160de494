package dev.fusebox.config;

import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;

/// A key of the configuration file: the reader, the JSON Schema and the documentation are derived from it.
/// Immutable.
///
/// @param preset the default value as JSON; empty if there is none
/// @param meaning the description for users, one or two sentences
/// @param appliesTo the kind of server that the key applies to
/// @param isNullable whether `null` is allowed, which means none
record ConfigKey<T>(
        String name, ValueType<T> valueType, String preset, String meaning, AppliesTo appliesTo, boolean isNullable) {
    /// The kind of server that a key applies to.
    enum AppliesTo {
        /// All servers; also the keys outside of servers.
        ALL,
        /// Servers that are child processes.
        PROCESS,
        /// Servers with a URL.
        URL
    }

    /// The default value; null if there is none.
    @Nullable
    T usual() {
        if (preset.isEmpty() || preset.equals("null")) {
            return null;
        }
        JsonView json = JsonView.of(preset);
        ProblemList problems = new ProblemList(SourceText.of("the table of keys", json.bytes()));
        return valueType.read(json, SourceLocation.unknown(problems));
    }
}
