package dev.fusebox.gateway.config;

import dev.fusebox.protocol.JsonView;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A member of an object of the file. Immutable.
///
/// @param spot of its value
/// @param nameSpot of its name
record Member(JsonView value, Spot spot, Spot nameSpot) {
    /// All members by their names, in their order; null if this is no object. A name that stands twice is told, because
    /// nobody can tell which of the two is meant.
    static @Nullable Map<String, Member> of(JsonView object, Spot spot) {
        if (!object.isObject()) {
            spot.error("is not an object");
            return null;
        }
        Map<String, Member> members = new LinkedHashMap<>();
        object.forEachMember((name, value) -> {
            Spot valueSpot = spot.inside(name, value.from());
            Spot nameSpot = valueSpot.moved(spot.problems().source().nameBefore(value.from()));
            if (members.putIfAbsent(name, new Member(value, valueSpot, nameSpot)) != null) {
                nameSpot.error("stands twice");
            }
        });
        return members;
    }
}
