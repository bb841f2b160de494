package dev.fusebox.gateway.upstream;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.Collection;

/// What several clients have in common, as JSON. Pure functions.
final class CommonCapabilities {
    private static final JsonView NONE = JsonView.of("{}");

    private CommonCapabilities() {}

    /// What all of them can do.
    static JsonView of(Collection<JsonView> all) {
        return all.stream().reduce(CommonCapabilities::common).orElse(NONE);
    }

    /// Whether a client with these capabilities can do all of that.
    static boolean includes(JsonView capabilities, JsonView offered) {
        boolean[] includes = {true};
        offered.forEachMember((name, value) -> {
            JsonView mine = capabilities.member(name);
            includes[0] &= mine != null && includesOne(mine, value);
        });
        return includes[0];
    }

    private static boolean includesOne(JsonView mine, JsonView value) {
        boolean areObjects = mine.isObject() && value.isObject();
        return areObjects ? includes(mine, value) : mine.json().equals(value.json());
    }

    /// Objects have the members that both have; other values that differ are left out.
    private static JsonView common(JsonView one, JsonView other) {
        JsonWriter common = new JsonWriter().beginObject();
        one.forEachMember((name, value) -> {
            JsonView theirs = other.member(name);
            if (theirs == null) {
                return;
            }
            if (value.isObject() && theirs.isObject()) {
                common.name(name).raw(common(value, theirs));
            } else if (value.json().equals(theirs.json())) {
                common.name(name).raw(value);
            }
        });
        return JsonView.of(common.endObject().toString());
    }
}
