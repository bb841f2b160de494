package dev.fusebox.protocol;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Writes JSON, one member or element after the other; commas come by themselves. Not thread-safe.
public final class JsonWriter {
    /// Holds most of what is written here; a refusal would grow six times from the usual sixteen.
    private static final int ROOM = 512;

    private final StringBuilder text = new StringBuilder(ROOM);
    private boolean first = true;

    public JsonWriter() {
        // Starts empty.
    }

    /// The JSON text of a string.
    public static String quoted(String value) {
        StringBuilder quoted = new StringBuilder(value.length() + 2);
        JsonStrings.quote(quoted, value);
        return quoted.toString();
    }

    public JsonWriter beginObject() {
        return open('{');
    }

    public JsonWriter endObject() {
        return close('}');
    }

    public JsonWriter beginArray() {
        return open('[');
    }

    public JsonWriter endArray() {
        return close(']');
    }

    /// The name of the member that comes next.
    public JsonWriter name(String name) {
        comma();
        JsonStrings.quote(text, name);
        text.append(':');
        first = true;
        return this;
    }

    public JsonWriter string(@Nullable String value) {
        comma();
        if (value == null) {
            text.append("null");
        } else {
            JsonStrings.quote(text, value);
        }
        return this;
    }

    public JsonWriter number(long value) {
        comma();
        text.append(value);
        return this;
    }

    public JsonWriter bool(boolean value) {
        comma();
        text.append(value);
        return this;
    }

    /// A value that is JSON already.
    public JsonWriter raw(JsonView value) {
        comma();
        text.append(value.json());
        return this;
    }

    /// A value that is JSON already.
    public JsonWriter raw(String json) {
        comma();
        text.append(json);
        return this;
    }

    private JsonWriter open(char bracket) {
        comma();
        text.append(bracket);
        first = true;
        return this;
    }

    private JsonWriter close(char bracket) {
        text.append(bracket);
        first = false;
        return this;
    }

    private void comma() {
        if (!first) {
            text.append(',');
        }
        first = false;
    }

    public byte[] bytes() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
