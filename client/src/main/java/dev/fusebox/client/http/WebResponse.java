package dev.fusebox.client.http;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Complete HTTP response with a small body. Immutable as long as its body is not changed. Its text form contains
/// neither headers nor the body.
public final class WebResponse {
    private static final int SUCCESS = 2;

    private final int status;
    private final ResponseHeaders responseHeaders;
    private final byte[] body;

    WebResponse(int status, ResponseHeaders responseHeaders, byte[] body) {
        this.status = status;
        this.responseHeaders = responseHeaders;
        this.body = body;
    }

    public int status() {
        return status;
    }

    /// Whether the status is 2xx.
    public boolean isSuccess() {
        return status / 100 == SUCCESS;
    }

    /// The only value under that name; null if there is none, or if there are several different ones.
    public @Nullable String header(String name) {
        return responseHeaders.only(name);
    }

    /// All values under that name, in order.
    public List<String> headers(String name) {
        return responseHeaders.values(name);
    }

    /// The media type in lower case, without parameters; empty if there is none.
    public String type() {
        String value = header("content-type");
        return value == null ? "" : value.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    /// The pause that the server asked for, five minutes at most; null if it did not.
    public @Nullable Duration retryAfter(Instant now) {
        String value = header("retry-after");
        return value == null ? null : RetryAfterHeader.parse(value, now);
    }

    /// The body itself, not a copy.
    public byte[] body() {
        return body;
    }

    @Override
    public String toString() {
        return "WebResponse[" + status + ", " + body.length + " bytes]";
    }
}
