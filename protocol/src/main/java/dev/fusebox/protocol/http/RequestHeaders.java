package dev.fusebox.protocol.http;

import dev.fusebox.protocol.HeaderValueEncoding;
import java.util.Locale;
import java.util.Set;

/// The headers that an operator may add to requests. Pure functions; thread-safe; nothing blocks.
public final class RequestHeaders {
    /// Names that frame messages or belong to the protocol: setting them would hide one request in another, or
    /// contradict the request.
    private static final Set<String> RESERVED = Set.of(
            "host",
            "connection",
            "keep-alive",
            "content-length",
            "content-type",
            "transfer-encoding",
            "te",
            "trailer",
            "upgrade",
            "expect",
            "accept",
            "accept-encoding",
            "last-event-id");

    private RequestHeaders() {}

    /// Checks a header.
    ///
    /// @throws IllegalArgumentException if it may not be sent, with the reason, which does not show the value
    public static void check(String name, String value) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (!HeaderValueEncoding.isToken(name)
                || !HeaderValueEncoding.isFieldValue(value)
                || !value.equals(value.strip())) {
            throw new IllegalArgumentException("invalid header: " + name);
        }
        if (RESERVED.contains(lower) || lower.startsWith("mcp-")) {
            throw new IllegalArgumentException("the gateway sets this header itself: " + name);
        }
    }
}
