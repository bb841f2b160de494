package dev.fusebox.config.edit;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// How a file is laid out, and how something new is written to look like the rest. Immutable.
///
/// @param lineEnd as the file has it first
/// @param indent one step of it
record JsonLayout(String lineEnd, String indent) {
    static final JsonLayout USUAL = new JsonLayout("\n", "  ");

    /// As the first line that is indented has it.
    static JsonLayout of(byte[] text) {
        String all = new String(text, StandardCharsets.UTF_8);
        int end = all.indexOf('\n');
        String lineEnd = end > 0 && all.charAt(end - 1) == '\r' ? "\r\n" : "\n";
        for (String line : all.lines().toList()) {
            String space = line.substring(0, line.length() - line.stripLeading().length());
            if (!space.isEmpty() && space.length() < line.length()) {
                return new JsonLayout(lineEnd, space.startsWith("\t") ? "\t" : space);
            }
        }
        return new JsonLayout(lineEnd, USUAL.indent);
    }

    /// A value over several lines, lists of plain values on one.
    ///
    /// @param margin of the line that it begins on
    String spread(JsonView value, String margin) {
        if (value.isObject()) {
            List<String> members = new ArrayList<>();
            value.forEachMember(
                    (name, each) -> members.add(JsonWriter.quoted(name) + ": " + spread(each, margin + indent)));
            return members.isEmpty()
                    ? "{}"
                    : members.stream()
                            .collect(Collectors.joining(
                                    "," + lineEnd + margin + indent,
                                    "{" + lineEnd + margin + indent,
                                    lineEnd + margin + "}"));
        }
        return onOneLine(value);
    }

    /// A value on one line.
    static String onOneLine(JsonView value) {
        if (value.isArray()) {
            return value.elements().stream().map(JsonLayout::onOneLine).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value.isObject()) {
            List<String> members = new ArrayList<>();
            value.forEachMember((name, each) -> members.add(JsonWriter.quoted(name) + ": " + onOneLine(each)));
            return members.isEmpty() ? "{}" : members.stream().collect(Collectors.joining(", ", "{ ", " }"));
        }
        return value.json();
    }
}
