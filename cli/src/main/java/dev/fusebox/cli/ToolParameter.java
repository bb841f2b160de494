package dev.fusebox.cli;

import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One argument of a tool, as the schema of the tool describes it. Immutable.
///
/// @param schema of its values, with references resolved
/// @param types JSON Schema types, such as `integer`; empty if any value is allowed
record ToolParameter(String name, JsonView schema, Set<String> types, boolean isRequired) {
    /// The limit for chains of references, which may be circular.
    private static final int MAX_REFERENCES = 8;

    private static final String[] ALTERNATIVES = {"anyOf", "oneOf", "allOf"};

    private static final JsonView ANY = JsonView.of("{}");

    ToolParameter {
        types = Set.copyOf(types);
    }

    /// All arguments of a tool, the required ones first, otherwise in the order of its schema.
    ///
    /// @param schema of its arguments; null if it has none
    static List<ToolParameter> of(@Nullable JsonView schema) {
        return schema == null ? List.of() : members(schema, schema);
    }

    private static List<ToolParameter> members(JsonView schema, JsonView whole) {
        List<ToolParameter> required = new ArrayList<>();
        List<ToolParameter> others = new ArrayList<>();
        JsonView properties = schema.member("properties");
        if (properties != null) {
            Set<String> names = strings(schema.member("required"));
            properties.forEachMember((name, value) -> {
                ToolParameter parameter = of(name, value, whole, names.contains(name));
                (parameter.isRequired() ? required : others).add(parameter);
            });
        }
        required.addAll(others);
        return required;
    }

    /// The members of its object, or of the objects in its array; empty if the schema declares none.
    List<ToolParameter> members(JsonView whole) {
        ToolParameter object = takes("array") ? element(whole) : this;
        List<ToolParameter> members = members(object.schema, whole);
        for (JsonView alternative : alternatives(object.schema)) {
            members = members.isEmpty() ? members(followed(alternative, whole), whole) : members;
        }
        return members;
    }

    /// @param whole the schema that contains referenced definitions
    static ToolParameter of(String name, JsonView schema, JsonView whole, boolean isRequired) {
        JsonView followed = followed(schema, whole);
        return new ToolParameter(name, followed, typesOf(followed, whole, 0), isRequired);
    }

    /// The schema of the array's elements; one that allows any value if it is not declared.
    ToolParameter element(JsonView whole) {
        JsonView items = schema.member("items");
        for (JsonView alternative : alternatives(schema)) {
            JsonView other = followed(alternative, whole).member("items");
            items = items == null ? other : items;
        }
        return of(name, items == null ? ANY : items, whole, true);
    }

    boolean takes(String type) {
        return types.contains(type);
    }

    /// The allowed values; empty if there is no fixed set.
    List<JsonView> choices(JsonView whole) {
        List<JsonView> choices = new ArrayList<>(elements(schema.member("enum")));
        for (JsonView alternative : alternatives(schema)) {
            choices.addAll(elements(followed(alternative, whole).member("enum")));
        }
        return choices;
    }

    /// The schemas in `anyOf`, `oneOf` and `allOf`.
    static List<JsonView> alternatives(JsonView schema) {
        List<JsonView> all = new ArrayList<>();
        for (String name : ALTERNATIVES) {
            all.addAll(elements(schema.member(name)));
        }
        return all;
    }

    static List<JsonView> elements(@Nullable JsonView array) {
        return array == null ? List.of() : array.elements();
    }

    static Set<String> strings(@Nullable JsonView array) {
        Set<String> strings = new LinkedHashSet<>();
        for (JsonView each : elements(array)) {
            String text = each.string();
            if (text != null) {
                strings.add(text);
            }
        }
        return strings;
    }

    /// The referenced schema; the reference itself if it cannot be resolved here.
    static JsonView followed(JsonView schema, JsonView whole) {
        JsonView at = schema;
        for (int step = 0; step < MAX_REFERENCES; step++) {
            String reference = at.string("$ref");
            JsonView next = reference == null || !reference.startsWith("#/")
                    ? null
                    : whole.path(reference.substring(2).split("/", -1));
            if (next == null) {
                return at;
            }
            at = next;
        }
        return at;
    }

    private static Set<String> typesOf(JsonView schema, JsonView whole, int depth) {
        JsonView type = schema.member("type");
        Set<String> types = new LinkedHashSet<>(strings(type));
        if (type != null && type.isString()) {
            types.add(String.valueOf(type.string()));
        }
        if (types.isEmpty() && depth < MAX_REFERENCES) {
            for (JsonView alternative : alternatives(schema)) {
                types.addAll(typesOf(followed(alternative, whole), whole, depth + 1));
            }
        }
        if (types.isEmpty()) {
            elements(schema.member("enum")).forEach(value -> types.add(typeOf(value)));
        }
        return types;
    }

    private static String typeOf(JsonView value) {
        if (value.isString()) {
            return "string";
        }
        if (value.isNumber()) {
            return "number";
        }
        if (value.isNull()) {
            return "null";
        }
        return value.isObject() ? "object" : value.isArray() ? "array" : "boolean";
    }
}
