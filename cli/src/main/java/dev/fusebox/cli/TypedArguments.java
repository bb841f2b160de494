package dev.fusebox.cli;

import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A converter of `KEY=VALUE` arguments to JSON, with the types of the tool's schema. A value stays a string
/// wherever the schema allows a string, so `zip=01234` keeps its zero. Immutable.
final class TypedArguments {
    private static final String INTEGER = "-?(0|[1-9]\\d*)";
    private static final String NUMBER = INTEGER + "(\\.\\d+)?([eE][+-]?\\d+)?";

    private final String tool;
    private final JsonView schema;
    private final Map<String, ToolParameter> parameters = new LinkedHashMap<>();

    /// @param tool its name, for messages
    /// @param schema of its arguments; null if it has none
    TypedArguments(String tool, @Nullable JsonView schema) {
        this.tool = tool;
        this.schema = schema == null ? JsonView.of("{}") : schema;
        ToolParameter.of(schema).forEach(each -> parameters.put(each.name(), each));
    }

    /// The arguments as a JSON object.
    String of(List<GivenArguments.Pair> pairs) throws ServeOptions.Problem {
        Map<String, List<GivenArguments.Pair>> byKey = new LinkedHashMap<>();
        pairs.forEach(pair ->
                byKey.computeIfAbsent(pair.key(), key -> new ArrayList<>()).add(pair));
        JsonWriter json = new JsonWriter().beginObject();
        for (Map.Entry<String, List<GivenArguments.Pair>> each : byKey.entrySet()) {
            json.name(each.getKey()).raw(value(parameter(each.getKey()), each.getValue()));
        }
        return json.endObject().toString();
    }

    private ToolParameter parameter(String key) throws ServeOptions.Problem {
        ToolParameter known = parameters.get(key);
        if (known != null) {
            return known;
        }
        JsonView others = schema.member("additionalProperties");
        boolean isForbidden = others != null && !others.isObject() && !others.isTrue();
        if (isForbidden || (others == null && !parameters.isEmpty())) {
            throw new ServeOptions.Problem(tool + " has no argument \"" + key + "\"" + suggestion(key));
        }
        return ToolParameter.of(key, others != null && others.isObject() ? others : JsonView.of("{}"), schema, false);
    }

    private String suggestion(String key) {
        String all = parameters.isEmpty()
                ? "; it takes no arguments"
                : "; its arguments: " + String.join(", ", parameters.keySet());
        return SpellingSuggestion.nearest(key, parameters.keySet())
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse(all);
    }

    private String value(ToolParameter parameter, List<GivenArguments.Pair> pairs) throws ServeOptions.Problem {
        GivenArguments.Pair first = pairs.getFirst();
        if (pairs.size() == 1 && !isElement(parameter, first)) {
            return first.isJson() ? json(first) : typed(parameter, first.value());
        }
        if (!parameter.takes("array") && !parameter.types().isEmpty()) {
            throw new ServeOptions.Problem("\"" + first.key() + "\" is given " + pairs.size() + " times, but " + tool
                    + " takes a single " + one(parameter));
        }
        ToolParameter element = parameter.element(schema);
        List<String> elements = new ArrayList<>();
        for (GivenArguments.Pair pair : pairs) {
            elements.add(pair.isJson() ? json(pair) : typed(element, pair.value()));
        }
        return "[" + String.join(",", elements) + "]";
    }

    /// Whether the value is one element of an array and not the array itself.
    private static boolean isElement(ToolParameter parameter, GivenArguments.Pair pair) {
        return !pair.isJson()
                && parameter.takes("array")
                && !parameter.takes("string")
                && !pair.value().stripLeading().startsWith("[");
    }

    private static String one(ToolParameter parameter) {
        return parameter.types().stream().sorted().collect(Collectors.joining(" or "));
    }

    /// The value in the first type that accepts the text; string has precedence.
    private static String typed(ToolParameter parameter, String text) throws ServeOptions.Problem {
        if (parameter.types().isEmpty() || parameter.takes("string")) {
            return JsonWriter.quoted(text);
        }
        boolean isTaken = (parameter.takes("integer") && text.matches(INTEGER))
                || (parameter.takes("number") && text.matches(NUMBER))
                || (parameter.takes("boolean") && (text.equals("true") || text.equals("false")))
                || (parameter.takes("null") && text.equals("null"))
                || (parameter.takes("object") && isJson(text, '{'))
                || (parameter.takes("array") && isJson(text, '['));
        if (!isTaken) {
            throw new ServeOptions.Problem(
                    "\"" + parameter.name() + "\" must be " + article(one(parameter)) + ", found \"" + text + "\"");
        }
        return text;
    }

    private static String article(String types) {
        boolean isVowel = "aeio".indexOf(types.charAt(0)) >= 0;
        return (isVowel ? "an " : "a ") + types;
    }

    private static boolean isJson(String text, char begin) {
        try {
            JsonView value = JsonView.parse(text.getBytes(StandardCharsets.UTF_8));
            return begin == '{' ? value.isObject() : value.isArray();
        } catch (JsonSyntaxError none) {
            return false;
        }
    }

    private static String json(GivenArguments.Pair pair) throws ServeOptions.Problem {
        try {
            return JsonView.parse(pair.value().getBytes(StandardCharsets.UTF_8)).json();
        } catch (JsonSyntaxError none) {
            throw new ServeOptions.Problem("the value of \"" + pair.key() + ":=\" is not JSON: " + none.getMessage());
        }
    }
}
