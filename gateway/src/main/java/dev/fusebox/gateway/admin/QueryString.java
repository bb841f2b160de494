package dev.fusebox.gateway.admin;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Parser of a request's query. Pure functions.
final class QueryString {
    private QueryString() {}

    /// The first value of this name; null if there is none.
    ///
    /// @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits
    static @Nullable String value(String query, String name) {
        for (String pair : query.split("&", -1)) {
            int sign = pair.indexOf('=');
            if (sign >= 0 && pair.substring(0, sign).equals(name)) {
                return URLDecoder.decode(pair.substring(sign + 1), StandardCharsets.UTF_8);
            }
        }
        return null;
    }
}
