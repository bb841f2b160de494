package dev.fusebox.protocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A validated JSON value in the bytes of its message. Finding a member scans; nothing is copied or built.
/// Immutable and thread-safe as long as the bytes are not changed, and nothing changes them. Equal to another view
/// with equal bytes.
public final class JsonView {
    /// The deepest nesting that is accepted by default; deeper values cost the call that carries them.
    public static final int MAX_DEPTH = 128;

    private final byte[] text;
    private final int from;
    private final int to;

    JsonView(byte[] text, int from, int to) {
        this.text = text;
        this.from = from;
        this.to = to;
    }

    /// Validates the whole array.
    public static JsonView parse(byte[] text) throws JsonSyntaxError {
        return parse(text, 0, text.length);
    }

    /// Validates a range, which must contain exactly one value.
    public static JsonView parse(byte[] text, int from, int to) throws JsonSyntaxError {
        return JsonScanner.check(text, from, to, MAX_DEPTH);
    }

    /// Validates the whole array.
    ///
    /// @param maxDepth the deepest nesting that is accepted
    public static JsonView parse(byte[] text, int maxDepth) throws JsonSyntaxError {
        return JsonScanner.check(text, 0, text.length, maxDepth);
    }

    /// Validates text that this program has written.
    public static JsonView of(String json) {
        try {
            return parse(json.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxError fault) {
            throw new IllegalArgumentException(fault.getMessage() + ": " + json, fault);
        }
    }

    public boolean isObject() {
        return text[from] == '{';
    }

    public boolean isArray() {
        return text[from] == '[';
    }

    public boolean isString() {
        return text[from] == '"';
    }

    public boolean isNumber() {
        return text[from] == '-' || (text[from] >= '0' && text[from] <= '9');
    }

    public boolean isNull() {
        return text[from] == 'n';
    }

    public boolean isTrue() {
        return text[from] == 't';
    }

    byte[] text() {
        return text;
    }

    /// The offset of the value's first byte.
    public int from() {
        return from;
    }

    /// The offset after the value's last byte.
    int to() {
        return to;
    }

    public int length() {
        return to - from;
    }

    /// The member with this name; null if there is none, or this is not an object. The first of several members
    /// with the same name.
    public @Nullable JsonView member(String name) {
        if (!isObject()) {
            return null;
        }
        int at = JsonScanner.skipSpace(text, from + 1);
        while (text[at] == '"') {
            int nameEnd = JsonScanner.skipString(text, at);
            int start = JsonScanner.skipSpace(text, JsonScanner.skipSpace(text, nameEnd) + 1);
            int end = JsonScanner.skip(text, start);
            if (JsonStrings.equal(text, at, nameEnd, name)) {
                return new JsonView(text, start, end);
            }
            at = nextItem(end);
        }
        return null;
    }

    /// The value at the end of a path of names; null if there is none.
    public @Nullable JsonView path(String... names) {
        JsonView value = this;
        for (String name : names) {
            value = value == null ? null : value.member(name);
        }
        return value;
    }

    /// A member of an object.
    ///
    /// @param from the offset of its name
    record Member(String name, int from, JsonView value) {}

    /// All members in order, including duplicates; empty if this is not an object.
    List<Member> members() {
        List<Member> members = new ArrayList<>();
        int at = isObject() ? JsonScanner.skipSpace(text, from + 1) : from;
        while (isObject() && text[at] == '"') {
            int nameEnd = JsonScanner.skipString(text, at);
            int start = JsonScanner.skipSpace(text, JsonScanner.skipSpace(text, nameEnd) + 1);
            int end = JsonScanner.skip(text, start);
            members.add(new Member(JsonStrings.decode(text, at, nameEnd), at, new JsonView(text, start, end)));
            at = nextItem(end);
        }
        return members;
    }

    /// All members in order, including duplicates.
    public void forEachMember(BiConsumer<String, JsonView> action) {
        if (!isObject()) {
            return;
        }
        int at = JsonScanner.skipSpace(text, from + 1);
        while (text[at] == '"') {
            int nameEnd = JsonScanner.skipString(text, at);
            int start = JsonScanner.skipSpace(text, JsonScanner.skipSpace(text, nameEnd) + 1);
            int end = JsonScanner.skip(text, start);
            action.accept(JsonStrings.decode(text, at, nameEnd), new JsonView(text, start, end));
            at = nextItem(end);
        }
    }

    /// The elements of an array; empty if this is not an array.
    public List<JsonView> elements() {
        List<JsonView> elements = new ArrayList<>();
        if (!isArray()) {
            return elements;
        }
        int at = JsonScanner.skipSpace(text, from + 1);
        while (text[at] != ']') {
            int end = JsonScanner.skip(text, at);
            elements.add(new JsonView(text, at, end));
            at = nextItem(end);
        }
        return elements;
    }

    /// The offset of the next item, or of the closing bracket.
    private int nextItem(int end) {
        int at = JsonScanner.skipSpace(text, end);
        return text[at] == ',' ? JsonScanner.skipSpace(text, at + 1) : at;
    }

    /// The text of a string value; null if this is not a string.
    public @Nullable String string() {
        return isString() ? JsonStrings.decode(text, from, to) : null;
    }

    /// The text of the string member of this name; null if there is none.
    public @Nullable String string(String name) {
        JsonView member = member(name);
        return member == null ? null : member.string();
    }

    /// The value's original bytes.
    public byte[] bytes() {
        byte[] copy = new byte[to - from];
        System.arraycopy(text, from, copy, 0, copy.length);
        return copy;
    }

    /// A copy with bytes of its own, so that the original message can be released.
    public JsonView copy() {
        return new JsonView(bytes(), 0, length());
    }

    /// The value's original text.
    public String json() {
        return new String(text, from, to - from, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonView view && Arrays.equals(text, from, to, view.text, view.from, view.to);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + text[i];
        }
        return hash;
    }

    @Override
    public String toString() {
        return json();
    }
}
