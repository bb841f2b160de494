package dev.fusebox.protocol;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// JSON writer, one member or element after the other; adds the commas. Not thread-safe.
public final class JsonWriter {
    /// Enough for most values written here; an error object would make the default buffer of sixteen grow six
    /// times.
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

    /// Writes the name of the next member.
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

    /// Writes a value that is already JSON.
    public JsonWriter raw(JsonView value) {
        comma();
        text.append(value.json());
        return this;
    }

    /// Writes a value that is already JSON.
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
