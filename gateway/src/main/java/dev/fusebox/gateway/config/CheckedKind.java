package dev.fusebox.gateway.config;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What another kind reads, and one rule more. Immutable.
///
/// @param complaint says what is wrong, as what follows "it"; null if nothing is
/// @param words for people
record CheckedKind<T>(Kind<T> base, Function<T, @Nullable String> complaint, String words) implements Kind<T> {
    @Override
    public @Nullable T read(JsonView value, Spot spot) {
        T good = base.read(value, spot);
        String wrong = good == null ? null : complaint.apply(good);
        if (wrong != null) {
            spot.error(wrong);
            return null;
        }
        return good;
    }

    @Override
    public void describe(JsonWriter schema) {
        base.describe(schema);
    }
}
