package dev.fusebox.config.edit;

import dev.fusebox.config.Jsonc;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// JSON as people write it, with comments and trailing commas, of which one member is changed and every other byte
/// stays: comments, order, line ends, byte order mark, indentation. Immutable, thread-safe; nothing blocks.
public final class JsonEditor {
    private static final byte[] EMPTY = "{}\n".getBytes(StandardCharsets.UTF_8);

    private final byte[] text;
    private final JsonWhitespace jsonWhitespace;
    private final JsonView root;

    private JsonEditor(byte[] text, JsonView root) {
        this.text = text;
        this.jsonWhitespace = new JsonWhitespace(text);
        this.root = root;
    }

    /// A member of an object, from its name to the end of its value.
    private record Item(String name, int from, JsonView value) {
        int to() {
            return value.from() + value.length();
        }
    }

    /// Reads a text; one that is empty is an object without members.
    ///
    /// @throws Unreadable if it is no JSON object, with the reason and the line
    public static JsonEditor parse(byte[] text) throws Unreadable {
        if (text.length >= 2 && (text[0] == 0 || text[1] == 0 || (text[0] & 0xFE) == 0xFE)) {
            throw new Unreadable("is UTF-16 or UTF-32; save it as UTF-8");
        }
        byte[] kept = new String(text, StandardCharsets.UTF_8).isBlank() ? EMPTY : text;
        Jsonc plain = Jsonc.of(kept);
        if (plain.unclosed() >= 0) {
            throw new Unreadable("has an unterminated comment, in line " + line(kept, plain.unclosed()));
        }
        try {
            JsonView root = JsonView.parse(plain.json());
            if (!root.isObject()) {
                throw new Unreadable("is not a JSON object");
            }
            return new JsonEditor(kept, root);
        } catch (JsonSyntaxError fault) {
            throw new Unreadable("is not JSON, in line " + line(kept, fault.offset()));
        }
    }

    private static int line(byte[] text, int offset) {
        return 1
                + (int) new String(text, 0, Math.min(offset, text.length), StandardCharsets.ISO_8859_1)
                        .chars()
                        .filter(c -> c == '\n')
                        .count();
    }

    public byte[] bytes() {
        return text.clone();
    }

    /// The whole object.
    public JsonView root() {
        return root;
    }

    /// What stands at a path of names; null if nothing does.
    public @Nullable JsonView at(List<String> path) {
        return root.path(path.toArray(String[]::new));
    }

    // ---- Adding

    /// The same with this member in the object at the path, which is made if it is not there; a member that is
    /// there keeps its place. The same text if nothing changes by that.
    ///
    /// @param json its value
    /// @throws Unreadable if something else than an object stands on the path, or a name is defined twice
    public JsonEditor with(List<String> path, String name, String json) throws Unreadable {
        JsonView object = root;
        for (int step = 0; step < path.size(); step++) {
            Item next = item(object, path.get(step));
            if (next == null) {
                return inserted(object, path.get(step), nested(path.subList(step + 1, path.size()), name, json));
            }
            object = next.value();
        }
        Item known = item(object, name);
        JsonView value = JsonView.of(json);
        if (known == null) {
            return inserted(object, name, value);
        }
        boolean isSame = JsonLayout.onOneLine(known.value()).equals(JsonLayout.onOneLine(value));
        return isSame ? this : replaced(known, value);
    }

    private static JsonView nested(List<String> path, String name, String json) {
        String nested = "{" + JsonWriter.quoted(name) + ":" + json + "}";
        for (String step : path.reversed()) {
            nested = "{" + JsonWriter.quoted(step) + ":" + nested + "}";
        }
        return JsonView.of(nested);
    }

    private JsonEditor replaced(Item known, JsonView value) throws Unreadable {
        String margin = jsonWhitespace.margin(known.from());
        return edited(known.value().from(), known.to(), JsonLayout.of(text).spread(value, margin));
    }

    private JsonEditor inserted(JsonView object, String name, JsonView value) throws Unreadable {
        List<Item> items = items(object);
        int close = object.from() + object.length() - 1;
        if (items.isEmpty()) {
            return intoEmpty(object.from(), close, name, value);
        }
        Item last = items.getLast();
        int comma = jsonWhitespace.comma(last.to(), close);
        if (!jsonWhitespace.hasLineEnd(object.from(), items.getFirst().from())) {
            String member = JsonWriter.quoted(name) + ": " + JsonLayout.onOneLine(value);
            return comma < 0 ? edited(last.to(), last.to(), ", " + member) : edited(comma + 1, comma + 1, " " + member);
        }
        JsonLayout layout = JsonLayout.of(text);
        String margin = jsonWhitespace.margin(items.getFirst().from());
        String member = layout.lineEnd() + margin + JsonWriter.quoted(name) + ": " + layout.spread(value, margin);
        int end = jsonWhitespace.lastInk(last.to(), close);
        String tail =
                jsonWhitespace.hasLineEnd(end, close) ? "" : layout.lineEnd() + jsonWhitespace.margin(object.from());
        return comma < 0
                ? edited(last.to(), end, utf8(","), slice(last.to(), end), utf8(member + tail))
                : edited(end, end, utf8(member + "," + tail));
    }

    private JsonEditor intoEmpty(int open, int close, String name, JsonView value) throws Unreadable {
        JsonLayout layout = JsonLayout.of(text);
        String margin = jsonWhitespace.margin(open);
        String inner = margin + layout.indent();
        String member = layout.lineEnd() + inner + JsonWriter.quoted(name) + ": " + layout.spread(value, inner);
        return edited(jsonWhitespace.lastInk(open + 1, close), close, member + layout.lineEnd() + margin);
    }

    // ---- Removing

    /// The same without this member of the object at the path, and without what stands behind it on its line;
    /// comments on lines of their own stay. The same text if there is none.
    ///
    /// @throws Unreadable if a name is defined twice
    public JsonEditor without(List<String> path, String name) throws Unreadable {
        JsonView object = root;
        for (String step : path) {
            Item next = item(object, step);
            if (next == null) {
                return this;
            }
            object = next.value();
        }
        Item item = item(object, name);
        return item == null ? this : without(object, item);
    }

    private JsonEditor without(JsonView object, Item item) throws Unreadable {
        int close = object.from() + object.length() - 1;
        int comma = jsonWhitespace.comma(item.to(), close);
        int to = comma < 0 ? item.to() : comma + 1;
        int from = item.from();
        if (jsonWhitespace.isFirstOnLine(from) && jsonWhitespace.isLastOnLine(to)) {
            from = jsonWhitespace.lineStart(from);
            to = jsonWhitespace.nextLine(to);
        } else {
            to = jsonWhitespace.afterSpace(to);
        }
        List<Item> items = items(object);
        int index = items.indexOf(item);
        if (items.size() == 1 && jsonWhitespace.isBlank(object.from() + 1, from) && jsonWhitespace.isBlank(to, close)) {
            return edited(object.from() + 1, close, "");
        }
        if (comma >= 0 || index == 0) {
            return edited(from, to, "");
        }
        // The last one: the comma before it has nothing to part any more.
        int before = jsonWhitespace.comma(items.get(index - 1).to(), from);
        boolean isInLine = jsonWhitespace.isBlank(before + 1, from) && !jsonWhitespace.hasLineEnd(before, from);
        return isInLine ? edited(before, to) : edited(before, to, slice(before + 1, from));
    }

    // ---- Finding

    private @Nullable Item item(JsonView object, String name) throws Unreadable {
        if (!object.isObject()) {
            throw new Unreadable("has a value that is not an object where " + JsonWriter.quoted(name)
                    + " belongs, in line "
                    + line(text, object.from()));
        }
        List<Item> found =
                items(object).stream().filter(each -> each.name().equals(name)).toList();
        if (found.size() > 1) {
            throw new Unreadable("has " + JsonWriter.quoted(name) + " twice, in line "
                    + line(text, found.getLast().from()));
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    private List<Item> items(JsonView object) {
        List<Item> items = new ArrayList<>();
        int[] at = {object.from() + 1};
        object.forEachMember((name, value) -> {
            items.add(new Item(name, jsonWhitespace.quote(at[0]), value));
            at[0] = value.from() + value.length();
        });
        return items;
    }

    private byte[] slice(int from, int to) {
        return Arrays.copyOfRange(text, from, to);
    }

    private static byte[] utf8(String part) {
        return part.getBytes(StandardCharsets.UTF_8);
    }

    private JsonEditor edited(int from, int to, String with) throws Unreadable {
        return edited(from, to, utf8(with));
    }

    /// What comes out is read again before anybody writes it.
    private JsonEditor edited(int from, int to, byte[]... parts) throws Unreadable {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(text, 0, from);
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        all.write(text, to, text.length - to);
        return parse(all.toByteArray());
    }
}
