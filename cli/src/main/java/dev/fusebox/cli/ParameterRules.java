package dev.fusebox.cli;

import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A description of the constraints of one argument beside its type: allowed values, length, format. Stateless.
final class ParameterRules {
    private ParameterRules() {}

    /// The constraints in parentheses; empty if there are none.
    ///
    /// @param whole the schema that contains referenced definitions
    static String of(ToolParameter parameter, JsonView whole) {
        List<String> rules = new ArrayList<>();
        List<JsonView> choices = (parameter.takes("array") ? parameter.element(whole) : parameter).choices(whole);
        if (!choices.isEmpty()) {
            rules.add("one of: " + choices.stream().map(ParameterRules::plain).collect(Collectors.joining(", ")));
        }
        parameter.schema().forEachMember((name, value) -> {
            String rule = rule(name, plain(value));
            if (!rule.isEmpty()) {
                rules.add(rule);
            }
        });
        return rules.isEmpty() ? "" : "(" + String.join("; ", rules) + ")";
    }

    /// Whether the argument has a pattern and its schema contains no example of a matching value.
    static boolean hasPatternAlone(ToolParameter parameter, JsonView whole) {
        JsonView schema = parameter.schema();
        return schema.member("pattern") != null
                && schema.member("examples") == null
                && schema.member("const") == null
                && schema.member("default") == null
                && parameter.choices(whole).isEmpty();
    }

    private static String rule(String name, String value) {
        return switch (name) {
            case "const" -> "always " + value;
            case "format" -> "format: " + value;
            case "pattern" -> "matches " + value;
            case "minimum" -> "at least " + value;
            case "maximum" -> "at most " + value;
            case "exclusiveMinimum" -> "more than " + value;
            case "exclusiveMaximum" -> "less than " + value;
            case "multipleOf" -> "a multiple of " + value;
            case "minLength" -> "at least " + counted(value, " character");
            case "maxLength" -> "at most " + counted(value, " character");
            case "minItems" -> "at least " + counted(value, " element");
            case "maxItems" -> "at most " + counted(value, " element");
            default -> "";
        };
    }

    private static String counted(String count, String noun) {
        return count + noun + (count.equals("1") ? "" : "s");
    }

    private static String plain(JsonView value) {
        String text = value.string();
        return OutputText.plain(text == null ? value.json() : text);
    }
}
