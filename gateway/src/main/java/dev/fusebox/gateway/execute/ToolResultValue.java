package dev.fusebox.gateway.execute;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/// The value of a tool's result as a script receives it, without its envelope. Pure functions.
final class ToolResultValue {
    private ToolResultValue() {}

    /// The structured content if there is any, else the text, parsed if it is JSON; any other content is returned
    /// as it is.
    static JsonView value(JsonView result) {
        JsonView structured = result.member("structuredContent");
        if (structured != null && !structured.isNull()) {
            return structured;
        }
        JsonView content = result.member("content");
        List<JsonView> parts = content == null ? List.of() : content.elements();
        boolean isText = !parts.isEmpty() && parts.stream().allMatch(ToolResultValue::isText);
        if (!isText) {
            return parts.isEmpty() ? result : Objects.requireNonNull(content);
        }
        return parsed(text(result));
    }

    private static boolean isText(JsonView part) {
        return "text".equals(part.string("type")) && part.string("text") != null;
    }

    private static JsonView parsed(String text) {
        try {
            return JsonView.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxError plain) {
            return JsonView.of(JsonWriter.quoted(text));
        }
    }

    /// All text of a result, one line for each part.
    static String text(JsonView result) {
        JsonView content = result.member("content");
        List<JsonView> parts = content == null ? List.of() : content.elements();
        return parts.stream()
                .filter(ToolResultValue::isText)
                .map(part -> Objects.requireNonNullElse(part.string("text"), ""))
                .collect(Collectors.joining("\n"));
    }
}
