package dev.fusebox.config.edit;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A TOML file, of which one table is added or exchanged and everything else stays. Immutable, thread-safe;
/// nothing blocks.
public final class TomlEditor {
    private final String text;
    private final TomlReader read;

    private TomlEditor(String text, TomlReader read) {
        this.text = text;
        this.read = read;
    }

    /// Reads a text.
    ///
    /// @throws Unreadable if it is no TOML that is understood here, with the reason and the line
    public static TomlEditor parse(byte[] text) throws Unreadable {
        String all = new String(text, StandardCharsets.UTF_8);
        return new TomlEditor(all, TomlReader.read(all));
    }

    public byte[] bytes() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// All tables below this one as objects, in their order.
    public Map<String, JsonView> tables(String above) {
        Map<String, Map<String, String>> members = new LinkedHashMap<>();
        for (TomlReader.Entry entry : read.entries()) {
            List<String> path = entry.path();
            if (path.size() > 2 && path.getFirst().equals(above)) {
                Map<String, String> table = members.computeIfAbsent(path.get(1), name -> new LinkedHashMap<>());
                put(table, path.subList(2, path.size()), entry.json());
            }
        }
        Map<String, JsonView> tables = new LinkedHashMap<>();
        members.forEach((name, table) -> tables.put(name, JsonView.of(object(table))));
        return tables;
    }

    /// A table in a table is an object in an object; deeper ones are of no interest here.
    private static void put(Map<String, String> table, List<String> path, String json) {
        if (path.size() == 1) {
            table.put(path.getFirst(), json);
            return;
        }
        String inner = table.getOrDefault(path.getFirst(), "{}");
        String member = JsonWriter.quoted(String.join(".", path.subList(1, path.size()))) + ":" + json + "}";
        String begin = inner.substring(0, inner.length() - 1);
        table.put(path.getFirst(), begin + (begin.equals("{") ? "" : ",") + member);
    }

    private static String object(Map<String, String> members) {
        return members.entrySet().stream()
                .map(member -> JsonWriter.quoted(member.getKey()) + ":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    /// The same with this table below the other; one that is there is exchanged. The same text if nothing changes.
    ///
    /// @param json an object of texts, lists of texts, and objects of texts
    /// @throws Unreadable if the table above is written on one line, so that nothing can be added to it
    public TomlEditor with(String above, String name, String json) throws Unreadable {
        JsonView wanted = JsonView.of(json);
        JsonView known = tables(above).get(name);
        if (known != null && JsonLayout.onOneLine(known).equals(JsonLayout.onOneLine(wanted))) {
            return this;
        }
        boolean isInline = read.entries().stream()
                .anyMatch(entry ->
                        entry.header().isEmpty() && entry.path().getFirst().equals(above));
        if (isInline) {
            throw new Unreadable(
                    "has " + above + " in a form that cannot be extended; write it as [" + above + ".NAME]");
        }
        String block = block(above, name, wanted);
        return known == null ? parse(appended(block)) : parse(exchanged(List.of(above, name), block));
    }

    private static TomlEditor parse(String text) throws Unreadable {
        return parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private String lineEnd() {
        return text.contains("\r\n") ? "\r\n" : "\n";
    }

    private String block(String above, String name, JsonView table) {
        List<String> lines = new ArrayList<>();
        lines.add("[" + above + "." + name + "]");
        table.forEachMember((key, value) -> lines.add(key + " = " + onOneLine(value)));
        return String.join(lineEnd(), lines) + lineEnd();
    }

    /// A table within a table is an inline table; all other values are as in JSON.
    private static String onOneLine(JsonView value) {
        if (!value.isObject()) {
            return JsonLayout.onOneLine(value);
        }
        List<String> members = new ArrayList<>();
        value.forEachMember((name, each) -> members.add(JsonWriter.quoted(name) + " = " + onOneLine(each)));
        return members.stream().collect(Collectors.joining(", ", "{ ", " }"));
    }

    private String appended(String block) {
        String gap = text.isEmpty() ? "" : text.endsWith("\n") ? lineEnd() : lineEnd() + lineEnd();
        return text + gap + block;
    }

    // ---- Removing

    /// The same without this table and the tables below it; blank lines and comments behind them stay, as they may
    /// be about what follows. The same text if there is none.
    ///
    /// @throws Unreadable if the table is written in a form that cannot be taken out here
    public TomlEditor without(String above, String name) throws Unreadable {
        List<String> table = List.of(above, name);
        StringBuilder rest = new StringBuilder();
        int from = 0;
        for (Range range : ranges(table)) {
            rest.append(text, from, range.from());
            from = range.to();
        }
        TomlEditor without = parse(rest.append(text, from, text.length()).toString());
        if (without.tables(above).containsKey(name)) {
            throw changeless(table);
        }
        return without;
    }

    /// The same with this table as another text has it, at the end.
    ///
    /// @throws Unreadable if the other text has it in a form that cannot be moved
    TomlEditor withOf(TomlEditor other, String above, String name) throws Unreadable {
        List<String> table = List.of(above, name);
        List<Range> ranges = other.ranges(table);
        if (ranges.isEmpty()) {
            throw changeless(table);
        }
        StringBuilder block = new StringBuilder();
        ranges.forEach(range -> block.append(other.text, range.from(), range.to()));
        return parse(without(above, name).appended(block.toString()));
    }

    private static Unreadable changeless(List<String> table) {
        return new Unreadable("has " + String.join(".", table) + " in a form that cannot be edited");
    }

    /// Where a part of the text begins, and where the next one does.
    private record Range(int from, int to) {}

    /// The table and those below it, each from its header to the end of its last value.
    private List<Range> ranges(List<String> table) {
        List<TomlReader.Header> headers = read.headers();
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < headers.size(); i++) {
            List<String> path = headers.get(i).path();
            if (path.size() >= 2 && path.subList(0, 2).equals(table)) {
                int end = i + 1 < headers.size() ? headers.get(i + 1).at() : text.length();
                ranges.add(new Range(headers.get(i).at(), inkEnd(headers.get(i).at(), end)));
            }
        }
        return ranges;
    }

    /// Behind the last line of a range that is neither blank nor a comment.
    private int inkEnd(int from, int to) {
        int end = to;
        while (end > from) {
            int start = text.lastIndexOf('\n', end - 2) + 1;
            String line = text.substring(Math.max(start, from), end).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                break;
            }
            end = start;
        }
        return Math.max(end, from);
    }

    // ---- Exchanging

    /// From its header to the next that is not below it.
    private String exchanged(List<String> table, String block) throws Unreadable {
        List<TomlReader.Header> headers = read.headers();
        int from = -1;
        int to = text.length();
        for (TomlReader.Header header : headers) {
            boolean isBelow =
                    header.path().size() >= 2 && header.path().subList(0, 2).equals(table);
            if (isBelow && from < 0) {
                from = header.at();
            } else if (!isBelow && from >= 0) {
                to = header.at();
                break;
            }
        }
        if (from < 0) {
            throw changeless(table);
        }
        String rest = text.substring(to);
        return text.substring(0, from) + block + (rest.isEmpty() ? "" : lineEnd() + rest);
    }
}
