package dev.fusebox.gateway.tools;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A shortened form of a tool's input schema: all properties with their types and constraints, and which of them
/// are required, without annotations that a caller does not need. Pure functions.
///
/// Omitted are titles, examples, empty defaults, and the `null` that only means that an optional property may be
/// omitted. Descriptions are cut to their first sentence. If the schema is still too long,
/// optional properties lose their descriptions, then required ones; then defaults are removed; finally optional
/// properties keep only their type.
final class BriefSchema {
    /// Characters. Longer schemas are shortened further: with this bound a search answer stays below 900 tokens
    /// (docs/search.md).
    private static final int MAX = 150;

    /// Size in bytes from which a schema gets only the shortest form: every pass takes milliseconds, and no form
    /// of it would be short.
    private static final int HUGE = 65_536;

    /// Characters of the shortest form. A longer one is replaced by a reference to the whole schema.
    private static final int MAX_SHORTEST = 8_000;

    private static final int MAX_DESCRIPTION = 80;

    /// What is kept beside the constraints, from most to least.
    private enum Kept {
        DESCRIPTIONS,
        DESCRIPTIONS_OF_REQUIRED,
        DEFAULTS,
        RULES,
        TYPES_OF_OPTIONAL;

        Kept less() {
            return switch (this) {
                case DESCRIPTIONS -> DESCRIPTIONS_OF_REQUIRED;
                case DESCRIPTIONS_OF_REQUIRED -> DEFAULTS;
                case DEFAULTS -> RULES;
                case RULES, TYPES_OF_OPTIONAL -> TYPES_OF_OPTIONAL;
            };
        }
    }

    private final Kept kept;

    private BriefSchema(Kept kept) {
        this.kept = kept;
    }

    /// The short form as JSON.
    static String of(JsonView schema) {
        if (!schema.isObject()) {
            return schema.json();
        }
        Kept least = Kept.TYPES_OF_OPTIONAL;
        Kept kept = schema.length() > HUGE ? least : Kept.DESCRIPTIONS;
        String text = new BriefSchema(kept).object(schema, Place.ROOT);
        while (text.length() > MAX && kept != least) {
            kept = kept.less();
            text = new BriefSchema(kept).object(schema, Place.ROOT);
        }
        return text.length() > MAX_SHORTEST ? tooLong(schema) : text;
    }

    private static String tooLong(JsonView schema) {
        JsonView properties = schema.member("properties");
        AtomicInteger count = new AtomicInteger();
        if (properties != null) {
            properties.forEachMember((name, value) -> count.incrementAndGet());
        }
        return new JsonWriter()
                .beginObject()
                .name("type")
                .string("object")
                .name("description")
                .string("too long to show, with " + count + " properties; repeat this search with detail: full")
                .endObject()
                .toString();
    }

    /// The position of a schema in its parent.
    private enum Place {
        ROOT,
        REQUIRED,
        OPTIONAL,
        INSIDE
    }

    private String any(JsonView schema, Place place) {
        return schema.isObject() ? object(schema, place) : schema.json();
    }

    private String object(JsonView schema, Place place) {
        Map<String, String> members = members(schema, place);
        JsonWriter text = new JsonWriter().beginObject();
        members.forEach((name, value) -> text.name(name).raw(value));
        return text.endObject().toString();
    }

    private Map<String, String> members(JsonView schema, Place place) {
        Map<String, String> members = new LinkedHashMap<>();
        schema.forEachMember((name, value) -> {
            if (place == Place.OPTIONAL && kept == Kept.TYPES_OF_OPTIONAL && !isOfType(name)) {
                return;
            }
            switch (name) {
                case "$schema", "title", "examples", "$comment" -> {}
                case "description" -> describe(value, place, members);
                case "default" -> byDefault(value, members);
                case "required" -> required(value, members);
                case "properties" -> members.put(name, properties(schema, value));
                case "$defs", "definitions", "patternProperties" -> members.put(name, named(value));
                case "items", "not" -> members.put(name, any(value, Place.INSIDE));
                case "additionalProperties" -> additional(value, members);
                case "anyOf", "oneOf" -> choice(name, value, place, members);
                case "allOf", "prefixItems" -> members.put(name, list(value));
                case "type" -> members.put(name, type(value, place));
                default -> members.put(name, value.json());
            }
        });
        return members;
    }

    private static boolean isOfType(String name) {
        return switch (name) {
            case "type", "$ref", "anyOf", "oneOf" -> true;
            default -> false;
        };
    }

    private void describe(JsonView value, Place place, Map<String, String> members) {
        String text = value.string();
        boolean isKept = switch (kept) {
            case DESCRIPTIONS -> place != Place.ROOT;
            case DESCRIPTIONS_OF_REQUIRED -> place == Place.REQUIRED;
            case DEFAULTS, RULES, TYPES_OF_OPTIONAL -> false;
        };
        if (isKept && text != null && !text.isBlank()) {
            members.putIfAbsent("description", JsonWriter.quoted(FirstSentence.of(text, MAX_DESCRIPTION)));
        }
    }

    private void byDefault(JsonView value, Map<String, String> members) {
        String json = value.json();
        boolean saysNothing = value.isNull() || json.equals("\"\"") || json.equals("[]") || json.equals("{}");
        if (kept.compareTo(Kept.RULES) < 0 && !saysNothing) {
            members.put("default", json);
        }
    }

    private static void required(JsonView value, Map<String, String> members) {
        if (!value.isArray() || !value.elements().isEmpty()) {
            members.put("required", value.json());
        }
    }

    /// Whether further properties are allowed gives no information about the known ones.
    private void additional(JsonView value, Map<String, String> members) {
        if (value.isObject()) {
            members.put("additionalProperties", object(value, Place.INSIDE));
        }
    }

    private String properties(JsonView schema, JsonView properties) {
        if (!properties.isObject()) {
            return properties.json();
        }
        JsonView required = schema.member("required");
        List<String> names = required == null
                ? List.of()
                : required.elements().stream().map(JsonView::string).toList();
        JsonWriter text = new JsonWriter().beginObject();
        properties.forEachMember((name, value) ->
                text.name(name).raw(any(value, names.contains(name) ? Place.REQUIRED : Place.OPTIONAL)));
        return text.endObject().toString();
    }

    private String named(JsonView schemas) {
        if (!schemas.isObject()) {
            return schemas.json();
        }
        JsonWriter text = new JsonWriter().beginObject();
        schemas.forEachMember((name, value) -> text.name(name).raw(any(value, Place.INSIDE)));
        return text.endObject().toString();
    }

    private String list(JsonView schemas) {
        if (!schemas.isArray()) {
            return schemas.json();
        }
        JsonWriter text = new JsonWriter().beginArray();
        schemas.elements().forEach(schema -> text.raw(any(schema, Place.INSIDE)));
        return text.endArray().toString();
    }

    /// An optional property whose only alternative to `null` is one schema gets that schema.
    private void choice(String name, JsonView value, Place place, Map<String, String> members) {
        List<JsonView> others = value.elements().stream()
                .filter(schema -> !isNull(schema.member("type")))
                .toList();
        boolean isOne = others.size() == 1
                && value.elements().size() == 2
                && others.getFirst().isObject();
        if (place == Place.OPTIONAL && isOne) {
            members(others.getFirst(), place).forEach(members::putIfAbsent);
        } else {
            members.put(name, list(value));
        }
    }

    private static String type(JsonView value, Place place) {
        List<JsonView> others = value.isArray()
                ? value.elements().stream().filter(type -> !isNull(type)).toList()
                : List.of();
        return place == Place.OPTIONAL && others.size() == 1 ? others.getFirst().json() : value.json();
    }

    private static boolean isNull(@Nullable JsonView type) {
        return type != null && "null".equals(type.string());
    }
}
