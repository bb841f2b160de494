package dev.fusebox.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Header fields in order, found by name regardless of case. Immutable and thread-safe.
///
/// In a request, no single-valued header occurs twice (Host, Content-Length, Content-Type, Authorization, Origin,
/// every Mcp-...): such a request has been rejected.
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
    /// @throws IllegalArgumentException if a name is not a token, or a value could end its line
    public static HttpHeaders of(String... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("odd number of names and values: " + namesAndValues.length);
        }
        for (int i = 0; i < namesAndValues.length; i += 2) {
            check(namesAndValues[i], namesAndValues[i + 1]);
        }
        return new HttpHeaders(List.of(namesAndValues));
    }

    /// The headers that let a web page read the response (the Fetch standard, section "HTTP responses").
    ///
    /// @param origin of the page
    public static HttpHeaders readableBy(String origin) {
        return of("Access-Control-Allow-Origin", origin, "Vary", "Origin");
    }

    /// Headers from validated fields.
    static HttpHeaders ofChecked(List<String> fields) {
        return new HttpHeaders(List.copyOf(fields));
    }

    private static void check(String name, String value) {
        if (!HttpCharacters.isToken(name) || !HttpCharacters.isFieldValue(value)) {
            throw new IllegalArgumentException("invalid header: " + name);
        }
    }

    /// A copy with one more header.
    public HttpHeaders with(String name, String value) {
        check(name, value);
        var more = new ArrayList<>(fields);
        more.add(name);
        more.add(value);
        return new HttpHeaders(List.copyOf(more));
    }

    /// The first value of this name, or null.
    public @Nullable String value(String name) {
        for (int i = 0; i < fields.size(); i += 2) {
            if (fields.get(i).equalsIgnoreCase(name)) {
                return fields.get(i + 1);
            }
        }
        return null;
    }

    /// All values of this name, for fields that may occur more than once.
    public List<String> values(String name) {
        var found = new ArrayList<String>();
        for (int i = 0; i < fields.size(); i += 2) {
            if (fields.get(i).equalsIgnoreCase(name)) {
                found.add(fields.get(i + 1));
            }
        }
        return found;
    }

    /// Whether a comma-separated list field contains the token.
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

    /// The names only: values may be secret.
    @Override
    public String toString() {
        var names = new ArrayList<String>();
        for (int i = 0; i < fields.size(); i += 2) {
            names.add(fields.get(i).toLowerCase(Locale.ROOT));
        }
        return names.toString();
    }
}
