package dev.fusebox.cli;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Example arguments of a tool, generated from its schema: the required ones only. Stateless.
final class ExampleArguments {
    /// Deeper schemas are mostly recursive.
    private static final int MAX_LEVELS = 6;

    private final JsonView whole;

    private ExampleArguments(JsonView whole) {
        this.whole = whole;
    }

    /// The arguments that follow the tool's name on the command line.
    ///
    /// @param schema of its arguments; null if it has none
    static List<String> words(@Nullable JsonView schema) {
        if (schema == null) {
            return List.of();
        }
        ExampleArguments example = new ExampleArguments(schema);
        List<ToolParameter> required = ToolParameter.of(schema).stream()
                .filter(ToolParameter::isRequired)
                .toList();
        boolean isTypeable = required.stream().noneMatch(each -> each.name().matches("(?s)|[-{:].*|.*[=:].*"));
        if (!isTypeable) {
            return List.of(example.value(ToolParameter.of("", schema, schema, true), 0));
        }
        return required.stream().flatMap(each -> example.words(each).stream()).toList();
    }

    /// One argument for each array element, where that is shorter than JSON.
    private List<String> words(ToolParameter parameter) {
        JsonView value = JsonView.of(value(parameter, 0));
        boolean isList = value.isArray() && !parameter.takes("string");
        List<JsonView> elements = value.elements();
        if (isList && elements.size() == 1 && elements.getFirst().isString() && !looksLikeArray(elements.getFirst())) {
            ToolParameter element = parameter.element(whole);
            return List.of(word(element, elements.getFirst()));
        }
        return List.of(word(parameter, value));
    }

    private static boolean looksLikeArray(JsonView text) {
        return String.valueOf(text.string()).stripLeading().startsWith("[");
    }

    private static String word(ToolParameter parameter, JsonView value) {
        String text = value.string();
        boolean isText = parameter.types().isEmpty() || parameter.takes("string");
        if (text != null && isText) {
            return parameter.name() + "=" + text;
        }
        return parameter.name() + (isText || text != null ? ":=" : "=") + value.json();
    }

    // ---- Values

    private String value(ToolParameter parameter, int level) {
        JsonView schema = parameter.schema();
        JsonView given = given(schema);
        if (given != null) {
            return given.json();
        }
        List<JsonView> choices = parameter.choices(whole);
        if (!choices.isEmpty()) {
            return choices.getFirst().json();
        }
        JsonView form = form(schema);
        if (level > MAX_LEVELS) {
            return "null";
        }
        if (parameter.takes("string") || parameter.types().isEmpty()) {
            return JsonWriter.quoted(text(form));
        }
        if (parameter.takes("integer") || parameter.takes("number")) {
            return number(form);
        }
        if (parameter.takes("boolean")) {
            return "true";
        }
        if (parameter.takes("array")) {
            return "[" + value(parameter.element(whole), level + 1) + "]";
        }
        return parameter.takes("object") ? object(form, level) : "null";
    }

    /// The first alternative that names a type.
    private JsonView form(JsonView schema) {
        for (JsonView alternative : ToolParameter.alternatives(schema)) {
            JsonView followed = ToolParameter.followed(alternative, whole);
            if (schema.member("type") == null && !"null".equals(followed.string("type"))) {
                return followed;
            }
        }
        return schema;
    }

    /// A value from the schema: an example, constant or default.
    private static @Nullable JsonView given(JsonView schema) {
        List<JsonView> examples = ToolParameter.elements(schema.member("examples"));
        if (!examples.isEmpty()) {
            return examples.getFirst();
        }
        JsonView constant = schema.member("const");
        JsonView standard = schema.member("default");
        return constant != null || standard == null || standard.isNull() ? constant : standard;
    }

    private static String text(JsonView schema) {
        String format = schema.string("format");
        String text = switch (format == null ? "" : format) {
            case "date" -> "2026-01-31";
            case "date-time" -> "2026-01-31T12:00:00Z";
            case "time" -> "12:00:00Z";
            case "email" -> "name@example.com";
            case "uri", "url" -> "https://example.com";
            case "uuid" -> "123e4567-e89b-42d3-a456-426614174000";
            default -> "text";
        };
        long shortest = number(schema, "minLength", 0);
        long longest = number(schema, "maxLength", Integer.MAX_VALUE);
        String enough = text + "x".repeat(Math.clamp(shortest - text.length(), 0, 1_000));
        return enough.substring(0, Math.clamp(longest, 0, enough.length()));
    }

    /// A number that respects the minimum and `multipleOf`; a conflict with the maximum is left to the reader.
    private static String number(JsonView schema) {
        long step = Math.max(1, number(schema, "multipleOf", 1));
        long most =
                Math.min(number(schema, "maximum", Long.MAX_VALUE), number(schema, "exclusiveMaximum", Long.MAX_VALUE));
        long least = Math.max(number(schema, "minimum", 1), number(schema, "exclusiveMinimum", 0) + 1);
        long value = Math.ceilDiv(Math.min(least, most), step) * step;
        return Long.toString(value);
    }

    private static long number(JsonView schema, String name, long otherwise) {
        JsonView value = schema.member(name);
        return value != null && value.json().matches("-?\\d{1,15}") ? Long.parseLong(value.json()) : otherwise;
    }

    private String object(JsonView schema, int level) {
        Set<String> required = ToolParameter.strings(schema.member("required"));
        JsonView properties = schema.member("properties");
        JsonWriter json = new JsonWriter().beginObject();
        if (properties != null) {
            properties.forEachMember((name, value) -> {
                if (required.contains(name)) {
                    json.name(name).raw(value(ToolParameter.of(name, value, whole, true), level + 1));
                }
            });
        }
        return json.endObject().toString();
    }
}
