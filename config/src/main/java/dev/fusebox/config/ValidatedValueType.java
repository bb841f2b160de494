package dev.fusebox.config;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Another value type with one more rule. Immutable.
///
/// @param complaint describes the error, without its subject; null if there is none
/// @param words for people
record ValidatedValueType<T>(ValueType<T> base, Function<T, @Nullable String> complaint, String words)
        implements ValueType<T> {
    @Override
    public @Nullable T read(JsonView value, SourceLocation location) {
        T good = base.read(value, location);
        String wrong = good == null ? null : complaint.apply(good);
        if (wrong != null) {
            location.error(wrong);
            return null;
        }
        return good;
    }

    @Override
    public void describe(JsonWriter schema) {
        base.describe(schema);
    }
}
