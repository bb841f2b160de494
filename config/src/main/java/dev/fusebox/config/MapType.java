package dev.fusebox.config;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values of one kind under names that the operator chooses. Immutable.
///
/// @param names a description of the names, for people
record MapType<E>(String names, ValueType<E> element) implements ValueType<Map<String, E>> {
    @Override
    public @Nullable Map<String, E> read(JsonView value, SourceLocation location) {
        Map<String, JsonMember> members = JsonMember.of(value, location);
        if (members == null) {
            return null;
        }
        Map<String, E> read = new LinkedHashMap<>();
        members.forEach((name, member) -> {
            E good = isName(name, member) ? element.read(member.value(), member.location()) : null;
            if (good != null) {
                read.put(name, good);
            }
        });
        return read.size() == members.size() ? Collections.unmodifiableMap(read) : null;
    }

    private static boolean isName(String name, JsonMember member) {
        boolean isName = !name.isEmpty() && name.indexOf('\0') < 0;
        if (!isName) {
            member.nameLocation().error("has a name that is empty or contains a NUL character");
        }
        return isName;
    }

    @Override
    public String words() {
        return "object: " + names + " with " + element.words();
    }

    @Override
    public void describe(JsonWriter schema) {
        schema.name("type").string("object");
        schema.name("additionalProperties").beginObject();
        element.describe(schema);
        schema.endObject();
    }
}
