package dev.fusebox.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Header fields in their order, found by name whatever its case. Immutable and thread-safe.
///
/// In a request no name that means one thing comes twice (Host, Content-Length, Content-Type, Authorization,
/// Origin, every Mcp-...): such a request was refused.
public final class HttpHeaders {
    private static final HttpHeaders NONE = new HttpHeaders(List.of());

    /// Name, value, name, value.
    private final List<String> fields;

    private HttpHeaders(List<String> fields) {
        this.fields = fields;
    }

    public static HttpHeaders none() {
        return NONE;
    }

    /// Headers of a response: name, value, name, value.
    ///
    /// @throws IllegalArgumentException if a name is no token, or a value could end its line
    public static HttpHeaders of(String... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("a name without a value among " + namesAndValues.length + " strings");
        }
        for (int i = 0; i < namesAndValues.length; i += 2) {
            check(namesAndValues[i], namesAndValues[i + 1]);
        }
        return new HttpHeaders(List.of(namesAndValues));
    }

    /// What lets a web page read the answer (the Fetch standard, section "HTTP responses").
    ///
    /// @param origin of the page
    public static HttpHeaders readableBy(String origin) {
        return of("Access-Control-Allow-Origin", origin, "Vary", "Origin");
    }

    /// Fields that were checked as they were read.
    static HttpHeaders ofChecked(List<String> fields) {
        return new HttpHeaders(List.copyOf(fields));
    }

    private static void check(String name, String value) {
        if (!HttpCharacters.isToken(name) || !HttpCharacters.isFieldValue(value)) {
            throw new IllegalArgumentException("not to be sent as a header: " + name);
        }
    }

    /// These and one more.
    public HttpHeaders with(String name, String value) {
        check(name, value);
        var more = new ArrayList<>(fields);
        more.add(name);
        more.add(value);
        return new HttpHeaders(List.copyOf(more));
    }

    /// The first value under that name, or null.
    public @Nullable String value(String name) {
        for (int i = 0; i < fields.size(); i += 2) {
            if (fields.get(i).equalsIgnoreCase(name)) {
                return fields.get(i + 1);
            }
        }
        return null;
    }

    /// All values under that name, for fields that may come more than once.
    public List<String> values(String name) {
        var found = new ArrayList<String>();
        for (int i = 0; i < fields.size(); i += 2) {
            if (fields.get(i).equalsIgnoreCase(name)) {
                found.add(fields.get(i + 1));
            }
        }
        return found;
    }

    /// Whether a field that is a list between commas names that token.
    boolean lists(String name, String token) {
        return values(name).stream()
                .flatMap(value -> List.of(value.split(",", -1)).stream())
                .anyMatch(item -> item.strip().equalsIgnoreCase(token));
    }

    void appendTo(StringBuilder text) {
        for (int i = 0; i < fields.size(); i += 2) {
            text.append(fields.get(i)).append(": ").append(fields.get(i + 1)).append("\r\n");
        }
    }

    /// The names only: values hold secrets.
    @Override
    public String toString() {
        var names = new ArrayList<String>();
        for (int i = 0; i < fields.size(); i += 2) {
            names.add(fields.get(i).toLowerCase(Locale.ROOT));
        }
        return names.toString();
    }
}
