package dev.fusebox.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;

/// A token that requests show in the header `Authorization` (RFC 6750, section 2.1). Immutable. `toString` leaves it
/// out.
public record BearerToken(String text) {
    private static final String SCHEME = "bearer ";

    /// Whether a request has it. Takes equally long for all wrong tokens of one length.
    public boolean isIn(HttpRequest request) {
        String given = request.headers().value("Authorization");
        return given != null
                && given.toLowerCase(Locale.ROOT).startsWith(SCHEME)
                && MessageDigest.isEqual(bytes(given.substring(SCHEME.length()).strip()), bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "BearerToken[]";
    }
}
