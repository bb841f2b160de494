package dev.fusebox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Classifier of HTTP responses without a message, by their status and never by their text. Depends on the wall
/// clock only for dates in Retry-After. Thread-safe.
final class ResponseClassifier {
    private static final int MAX_SHOWN = 200;

    private final Platform platform;
    private final Supplier<Redactor> secrets;

    /// @param secrets to hide, beside the authorization of the request, even if the server shows them
    ResponseClassifier(Platform platform, Supplier<Redactor> secrets) {
        this.platform = platform;
        this.secrets = secrets;
    }

    /// The failure for a response without a message.
    ///
    /// @param shown the beginning of the body
    CallFailure of(StreamingResponse streamingResponse, byte[] shown) {
        int status = streamingResponse.status();
        Duration wait = status == 429 || status == 503 ? retryAfter(streamingResponse.responseHeaders()) : null;
        Evidence evidence = Evidence.ofHttp(status, wait);
        ErrorId id = status < 300 ? withoutMessage(streamingResponse) : id(status);
        FailureCategory category = status == 408 ? FailureCategory.HTTP : id.category();
        return new CallFailure(id, category, delivery(status), message(streamingResponse, shown), evidence);
    }

    /// The id of a success status without a message.
    private static ErrorId withoutMessage(StreamingResponse streamingResponse) {
        return streamingResponse.type().equals("text/html") ? ErrorId.WEB_PAGE : ErrorId.NO_MESSAGE;
    }

    private static ErrorId id(int status) {
        return switch (status) {
            case 401 -> ErrorId.HTTP_401;
            case 403 -> ErrorId.HTTP_403;
            case 404 -> ErrorId.HTTP_404;
            case 405 -> ErrorId.HTTP_405;
            case 406 -> ErrorId.HTTP_406;
            case 429 -> ErrorId.HTTP_429;
            default -> status >= 500 ? ErrorId.HTTP_5XX : status < 400 ? ErrorId.HTTP_REDIRECT : ErrorId.HTTP_ERROR;
        };
    }

    /// 502 and 504 come from an intermediary that does not know the effect of the request. A success without a
    /// message means that the request was accepted.
    private static Delivery delivery(int status) {
        boolean unknown = status < 300 || status == 502 || status == 504;
        return unknown ? Delivery.UNKNOWN : Delivery.REJECTED;
    }

    private String message(StreamingResponse streamingResponse, byte[] shown) {
        int status = streamingResponse.status();
        String what = switch (status) {
            case 401 -> "Authentication failed (HTTP 401)";
            case 403 -> "Access forbidden (HTTP 403)";
            case 429 -> "Too many requests (HTTP 429)";
            default -> status < 300 ? "No MCP message in the response (HTTP " + status + ")" : "HTTP " + status;
        };
        Redactor redactor = secrets.get().and(streamingResponse.authorization().secrets());
        String where = status / 100 == 3 ? redirect(streamingResponse, redactor) : "";
        String type = streamingResponse.type().isEmpty() ? "no content type" : streamingResponse.type();
        String text = scrubbed(shown, redactor);
        return what
                + where
                + (text.isEmpty() ? ", no body" : ", " + scrubbed(type.getBytes(UTF_8), redactor) + ": " + text);
    }

    /// The location without its query, which may contain secrets of others.
    private static String redirect(StreamingResponse streamingResponse, Redactor redactor) {
        String location = streamingResponse.responseHeaders().only("location");
        if (location == null) {
            return "; redirect without a Location header";
        }
        String address = scrubbed(location.replaceFirst("[?#].*", "").getBytes(UTF_8), redactor);
        return "; redirect to " + address + " not followed";
    }

    /// The beginning, on one line, without control characters and without secrets.
    private static String scrubbed(byte[] bytes, Redactor redactor) {
        String text = redactor.hideInPart(new String(bytes, 0, Math.min(bytes.length, 16 * MAX_SHOWN), UTF_8));
        String plain = text.replaceAll("\\p{C}+|\\s+", " ").strip();
        return plain.length() <= MAX_SHOWN ? plain : plain.substring(0, MAX_SHOWN);
    }

    /// The pause that the server asks for; null if it asks for none, or in a format that cannot be parsed.
    @Nullable
    Duration retryAfter(ResponseHeaders responseHeaders) {
        String value = responseHeaders.only("retry-after");
        return value == null
                ? null
                : RetryAfterHeader.parse(value, platform.wallClock().instant());
    }
}
