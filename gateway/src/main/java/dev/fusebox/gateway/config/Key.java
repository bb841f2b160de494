package dev.fusebox.gateway.config;

import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;

/// A line of the table of keys, which is all that reader, schema and documentation know of it. Immutable.
///
/// @param preset what it is if it is left out, as JSON; empty for nothing
/// @param meaning for people, one sentence or two
/// @param use for which servers it means anything
/// @param isNullable whether `null` may be written: for none
record Key<T>(String name, Kind<T> kind, String preset, String meaning, Use use, boolean isNullable) {
    /// For which servers a key means anything.
    enum Use {
        /// For all, or it is no key of a server.
        ALL,
        /// For those that are processes of our own.
        PROCESS,
        /// For those with a url.
        URL
    }

    static <T> Key<T> of(String name, Kind<T> kind, String preset, String meaning) {
        return new Key<>(name, kind, preset, meaning, Use.ALL, false);
    }

    /// Means nothing if it is left out.
    static <T> Key<T> of(String name, Kind<T> kind, String meaning) {
        return of(name, kind, "", meaning);
    }

    Key<T> forProcess() {
        return new Key<>(name, kind, preset, meaning, Use.PROCESS, isNullable);
    }

    Key<T> forUrl() {
        return new Key<>(name, kind, preset, meaning, Use.URL, isNullable);
    }

    Key<T> orNull() {
        return new Key<>(name, kind, preset, meaning, use, true);
    }

    /// What it is if it is left out; null for nothing.
    @Nullable
    T usual() {
        if (preset.isEmpty() || preset.equals("null")) {
            return null;
        }
        JsonView json = JsonView.of(preset);
        return kind.read(json, Spot.nowhere(new Problems(Source.of("the table of keys", json.bytes()))));
    }
}
