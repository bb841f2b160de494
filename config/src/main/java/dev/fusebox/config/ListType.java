package dev.fusebox.config;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A list of values of one kind. Immutable.
///
/// @param least elements
/// @param most elements
record ListType<E>(ValueType<E> element, int least, int most) implements ValueType<List<E>> {
    /// A list of any length.
    static <E> ListType<E> of(ValueType<E> element) {
        return new ListType<>(element, 0, Integer.MAX_VALUE);
    }

    @Override
    public @Nullable List<E> read(JsonView value, SourceLocation location) {
        if (!value.isArray()) {
            location.error("is not a list");
            return null;
        }
        List<JsonView> written = value.elements();
        if (written.size() < least || written.size() > most) {
            location.error("has " + written.size() + " elements; it must have " + least + " to " + most);
        }
        List<E> read = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            JsonView each = written.get(i);
            E good = element.read(each, location.inside(Integer.toString(i), each.from()));
            if (good != null) {
                read.add(good);
            }
        }
        return read.size() == written.size() ? List.copyOf(read) : null;
    }

    @Override
    public String words() {
        return "list: " + element.words();
    }

    @Override
    public void describe(JsonWriter schema) {
        schema.name("type").string("array").name("items").beginObject();
        element.describe(schema);
        schema.endObject();
        if (least > 0) {
            schema.name("minItems").number(least);
        }
        if (most < Integer.MAX_VALUE) {
            schema.name("maxItems").number(most);
        }
    }
}
