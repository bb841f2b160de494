package dev.fusebox.gateway.stateless;

import dev.fusebox.gateway.http.Headers;
import dev.fusebox.protocol.HeaderValueEncoding;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.ToolHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether a request of the stateless era is in order: what it must say about itself, and that its headers say the
/// same. What the body says is what is done; headers are only compared. Pure functions.
final class RequestCheck {
    private RequestCheck() {}

    /// Null if the body is in order.
    static @Nullable Refusal ofBody(Message.Request request) {
        Metadata metadata = Metadata.of(request);
        if (metadata == null) {
            String message = "params._meta has to hold " + Metadata.VERSION + " and " + Metadata.CAPABILITIES;
            return new Refusal(JsonRpcErrorCode.INVALID_PARAMS, message, null);
        }
        return metadata.version().equals(Refusal.REVISION)
                ? ofLevel(request.frame().path("params", "_meta", Metadata.LOG_LEVEL))
                : Refusal.unsupported(metadata.version(), List.of(Refusal.REVISION));
    }

    /// Null if the client wants no lines of the log, or names a level of them (section "Logging").
    private static @Nullable Refusal ofLevel(@Nullable JsonView level) {
        if (level == null || level.isNull() || Earshot.LEVELS.contains(String.valueOf(level.string()))) {
            return null;
        }
        String message = Metadata.LOG_LEVEL + " has to be one of " + String.join(", ", Earshot.LEVELS);
        return new Refusal(JsonRpcErrorCode.INVALID_PARAMS, message, null);
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

    /// Null if the headers of a call say what its arguments say, as far as it is known which of them stand in
    /// headers.
    static @Nullable Refusal ofArguments(ToolHeaders tools, Headers headers, Message.Request request) {
        JsonView params = request.params();
        if (params == null || !request.method().equals("tools/call")) {
            return null;
        }
        String mismatch = tools.of(params).mismatch(headers::values, params.member("arguments"));
        return mismatch == null ? null : Refusal.headerMismatch(mismatch);
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
        String found = HeaderValueEncoding.decoded(values.getFirst());
        return expected.equals(found) ? null : Refusal.headerMismatch(name + " says something else than the body");
    }
}
