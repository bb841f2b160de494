package dev.fusebox.config;

import dev.fusebox.protocol.JsonView;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A member of an object of the file. Immutable.
///
/// @param location of its value
/// @param nameLocation of its name
record JsonMember(JsonView value, SourceLocation location, SourceLocation nameLocation) {
    /// All members by name, in order; null if this is not an object. A duplicate name is an error, because it is
    /// unclear which of the two was intended.
    static @Nullable Map<String, JsonMember> of(JsonView object, SourceLocation location) {
        if (!object.isObject()) {
            location.error("is not an object");
            return null;
        }
        Map<String, JsonMember> members = new LinkedHashMap<>();
        object.forEachMember((name, value) -> {
            SourceLocation valueLocation = location.inside(name, value.from());
            SourceLocation nameLocation =
                    valueLocation.moved(location.problems().source().nameBefore(value.from()));
            if (members.putIfAbsent(name, new JsonMember(value, valueLocation, nameLocation)) != null) {
                nameLocation.error("is defined twice");
            }
        });
        return members;
    }
}
