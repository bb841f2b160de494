package dev.fusebox.client.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Header fields of a response. Immutable once it has been read, and then thread-safe; nothing blocks.
public final class ResponseHeaders {
    /// Name, value, name, value.
    private final List<String> fields = new ArrayList<>(24);

    ResponseHeaders() {
        // Without fields.
    }

    void add(String name, String value) {
        fields.add(name);
        fields.add(value);
    }

    int count() {
        return fields.size() / 2;
    }

    /// The only value under that name; null if there is none, or if there are several different ones.
    public @Nullable String only(String name) {
        List<String> values = values(name);
        return values.size() == 1 || values.stream().distinct().count() == 1 ? values.getFirst() : null;
    }

    /// All values under that name.
    public List<String> values(String name) {
        List<String> found = new ArrayList<>(1);
        for (int i = 0; i < fields.size(); i += 2) {
            if (fields.get(i).equalsIgnoreCase(name)) {
                found.add(fields.get(i + 1));
            }
        }
        return found;
    }

    /// Whether a comma-separated field contains that token.
    public boolean lists(String name, String token) {
        for (String value : values(name)) {
            for (String item : value.split(",", -1)) {
                if (item.strip().equalsIgnoreCase(token)) {
                    return true;
                }
            }
        }
        return false;
    }
}
