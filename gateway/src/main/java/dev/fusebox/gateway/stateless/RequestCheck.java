package dev.fusebox.gateway.stateless;

import dev.fusebox.gateway.http.Headers;
import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether a request of the stateless era is in order: what it must say about itself, and that its headers say the
/// same. What the body says is what is done; headers are only compared. Pure functions.
final class RequestCheck {
    private static final String BASE64_BEGIN = "=?base64?";
    private static final String BASE64_END = "?=";

    private RequestCheck() {}

    /// Null if the body is in order.
    static @Nullable Refusal ofBody(Message.Request request) {
        Metadata metadata = Metadata.of(request);
        if (metadata == null) {
            String message = "params._meta has to hold " + Metadata.VERSION + " and " + Metadata.CAPABILITIES;
            return new Refusal(ErrorCode.INVALID_PARAMS, message, null);
        }
        return metadata.version().equals(Refusal.REVISION)
                ? null
                : Refusal.unsupported(metadata.version(), List.of(Refusal.REVISION));
    }

    /// Null if headers and body are in order and agree.
    static @Nullable Refusal of(Headers headers, Message.Request request) {
        JsonView meta = request.frame().path("params", "_meta");
        String version = meta == null ? null : meta.string(Metadata.VERSION);
        if (version != null) {
            Refusal mismatch = mismatch(headers, "Mcp-Protocol-Version", version);
            if (mismatch != null) {
                return mismatch;
            }
        }
        Refusal refusal = ofBody(request);
        if (refusal == null) {
            refusal = mismatch(headers, "Mcp-Method", request.method());
        }
        String name = nameIn(request);
        return refusal == null && name != null ? mismatch(headers, "Mcp-Name", name) : refusal;
    }

    /// What the request is about; null if it has no such thing.
    private static @Nullable String nameIn(Message.Request request) {
        JsonView params = request.params();
        if (params == null) {
            return null;
        }
        return switch (request.method()) {
            case "tools/call", "prompts/get" -> params.string("name");
            case "resources/read" -> params.string("uri");
            default -> null;
        };
    }

    private static @Nullable Refusal mismatch(Headers headers, String name, String expected) {
        List<String> values = headers.values(name);
        if (values.size() != 1) {
            return Refusal.headerMismatch(values.isEmpty() ? name + " is missing" : name + " stands more than once");
        }
        String found = decoded(values.getFirst());
        return expected.equals(found) ? null : Refusal.headerMismatch(name + " says something else than the body");
    }

    /// A value as it was before it was made safe for a header; null if it cannot be read.
    static @Nullable String decoded(String value) {
        if (value.chars().anyMatch(c -> c != '\t' && (c < ' ' || c > '~'))) {
            return null;
        }
        if (!value.startsWith(BASE64_BEGIN) || !value.endsWith(BASE64_END)) {
            return value;
        }
        if (value.length() < BASE64_BEGIN.length() + BASE64_END.length()) {
            return null;
        }
        try {
            String text = value.substring(BASE64_BEGIN.length(), value.length() - BASE64_END.length());
            return text.length() % 4 != 0
                    ? null
                    : new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }
}
