package dev.fusebox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.FailureCause;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Classifier of HTTP responses without a message, by their status and never by their text. Depends on the wall
/// clock only for dates in Retry-After. Thread-safe.
final class ResponseClassifier {
    private static final int MAX_SHOWN = 200;

    private final Platform platform;
    private final Redactor secrets;

    /// @param secrets to hide, even if the server shows them
    ResponseClassifier(Platform platform, Redactor secrets) {
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
        CallFailure failure = new CallFailure(
                code(status), category(status), delivery(status), message(streamingResponse, shown), evidence);
        FailureCause cause = cause(streamingResponse);
        return cause == null ? failure : failure.by(cause);
    }

    /// The cause of a success status without a message.
    private static @Nullable FailureCause cause(StreamingResponse streamingResponse) {
        if (streamingResponse.status() / 100 != 2) {
            return null;
        }
        return streamingResponse.type().equals("text/html") ? FailureCause.WEB_PAGE : FailureCause.NO_MESSAGE;
    }

    private static ErrorCode code(int status) {
        return switch (status) {
            case 401, 403 -> ErrorCode.AUTH_REQUIRED;
            case 429 -> ErrorCode.OVERLOADED;
            default -> status < 300 ? ErrorCode.PROTOCOL_VIOLATION : ErrorCode.HTTP_ERROR;
        };
    }

    /// 429 says nothing about the health of the server, and counts for no breaker, like a local shortage.
    private static FailureCategory category(int status) {
        return switch (status) {
            case 401, 403 -> FailureCategory.AUTH;
            case 429 -> FailureCategory.LOCAL;
            case 408 -> FailureCategory.HTTP;
            default -> status >= 500 ? FailureCategory.HTTP : FailureCategory.OTHER;
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
        String where = status / 100 == 3 ? redirect(streamingResponse) : "";
        String type = streamingResponse.type().isEmpty() ? "no content type" : streamingResponse.type();
        String text = scrubbed(shown);
        return what + where + (text.isEmpty() ? ", no body" : ", " + scrubbed(type.getBytes(UTF_8)) + ": " + text);
    }

    /// The location without its query, which may contain secrets of others.
    private String redirect(StreamingResponse streamingResponse) {
        String location = streamingResponse.responseHeaders().only("location");
        if (location == null) {
            return "; redirect without a Location header";
        }
        String address = scrubbed(location.replaceFirst("[?#].*", "").getBytes(UTF_8));
        return "; redirect to " + address + " not followed";
    }

    /// The beginning, on one line, without control characters and without secrets.
    private String scrubbed(byte[] bytes) {
        String text = secrets.hideInPart(new String(bytes, 0, Math.min(bytes.length, 16 * MAX_SHOWN), UTF_8));
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
