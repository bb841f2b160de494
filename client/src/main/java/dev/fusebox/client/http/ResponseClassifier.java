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

/// Says what an answer that is none means, by its status and never by its text. Pure but for the time of day,
/// which dates in Retry-After are compared with. Thread-safe.
final class ResponseClassifier {
    private static final int MOST_SHOWN = 200;

    private final Platform platform;
    private final Redactor secrets;

    /// @param secrets what must not be shown, even if the server shows it
    ResponseClassifier(Platform platform, Redactor secrets) {
        this.platform = platform;
        this.secrets = secrets;
    }

    /// The fault for an answer without a message for us.
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

    /// A success in which nothing was a message, and what it was instead.
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

    /// 429 says nothing about the server's health: it blames nobody, like a shortage of our own.
    private static FailureCategory category(int status) {
        return switch (status) {
            case 401, 403 -> FailureCategory.AUTH;
            case 429 -> FailureCategory.LOCAL;
            case 408 -> FailureCategory.HTTP;
            default -> status >= 500 ? FailureCategory.HTTP : FailureCategory.OTHER;
        };
    }

    /// Whoever answers 502 or 504 stands between, and does not know what became of the request. A success without
    /// a message means that the request was taken.
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

    /// Where it points to, without a query, which may hold secrets of others.
    private String redirect(StreamingResponse streamingResponse) {
        String location = streamingResponse.responseHeaders().only("location");
        if (location == null) {
            return "; redirect without a Location header";
        }
        String address = scrubbed(location.replaceFirst("[?#].*", "").getBytes(UTF_8));
        return "; redirect to " + address + " not followed";
    }

    /// The beginning, on one line, without control characters and without our own secrets.
    private String scrubbed(byte[] bytes) {
        String text = secrets.hideInPart(new String(bytes, 0, Math.min(bytes.length, 16 * MOST_SHOWN), UTF_8));
        String plain = text.replaceAll("\\p{C}+|\\s+", " ").strip();
        return plain.length() <= MOST_SHOWN ? plain : plain.substring(0, MOST_SHOWN);
    }

    /// How long the server wants to be left alone; null if it does not say, or not in a form that can be read.
    @Nullable
    Duration retryAfter(ResponseHeaders responseHeaders) {
        String value = responseHeaders.only("retry-after");
        return value == null
                ? null
                : RetryAfterHeader.parse(value, platform.wallClock().instant());
    }
}
