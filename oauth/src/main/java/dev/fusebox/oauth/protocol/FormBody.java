package dev.fusebox.oauth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Form of a request to an authorization server. Its text form contains no values. Not thread-safe.
final class FormBody {
    private final Map<String, String> fields = new LinkedHashMap<>();

    /// Adds a field unless its value is null.
    FormBody add(String name, @Nullable String value) {
        if (value != null) {
            fields.put(name, value);
        }
        return this;
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    byte[] bytes() {
        return fields.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"))
                .getBytes(UTF_8);
    }

    @Override
    public String toString() {
        return "FormBody" + fields.keySet();
    }
}
