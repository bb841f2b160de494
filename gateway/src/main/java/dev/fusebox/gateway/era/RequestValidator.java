package dev.fusebox.gateway.era;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.protocol.HeaderValueEncoding;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.ToolHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The validator of modern requests: required metadata, and headers that agree with the body. The body decides
/// what is done; headers are only compared. Pure functions.
final class RequestValidator {
    private RequestValidator() {}

    /// Null if the body is valid.
    static @Nullable RequestRefusal ofBody(Message.Request request) {
        ClientMetadata metadata = ClientMetadata.of(request);
        if (metadata == null) {
            String message =
                    "params._meta must contain " + ClientMetadata.VERSION + " and " + ClientMetadata.CAPABILITIES;
            return new RequestRefusal(JsonRpcErrorCode.INVALID_PARAMS, message, null);
        }
        return metadata.version().equals(RequestRefusal.REVISION)
                ? ofLevel(request.frame().path("params", "_meta", ClientMetadata.LOG_LEVEL))
                : RequestRefusal.unsupported(metadata.version(), List.of(RequestRefusal.REVISION));
    }

    /// Null if there is no log level, or it is a valid one (section "Logging").
    private static @Nullable RequestRefusal ofLevel(@Nullable JsonView level) {
        if (level == null || level.isNull() || RequestNotifications.LEVELS.contains(String.valueOf(level.string()))) {
            return null;
        }
        String message = ClientMetadata.LOG_LEVEL + " must be one of " + String.join(", ", RequestNotifications.LEVELS);
        return new RequestRefusal(JsonRpcErrorCode.INVALID_PARAMS, message, null);
    }

    /// Null if headers and body are valid and agree.
    static @Nullable RequestRefusal of(HttpHeaders headers, Message.Request request) {
        JsonView meta = request.frame().path("params", "_meta");
        String version = meta == null ? null : meta.string(ClientMetadata.VERSION);
        if (version != null) {
            RequestRefusal mismatch = mismatch(headers, "Mcp-Protocol-Version", version);
            if (mismatch != null) {
                return mismatch;
            }
        }
        RequestRefusal refusal = ofBody(request);
        if (refusal == null) {
            refusal = mismatch(headers, "Mcp-Method", request.method());
        }
        String name = nameIn(request);
        return refusal == null && name != null ? mismatch(headers, "Mcp-Name", name) : refusal;
    }

    /// Null if the headers of a call agree with its arguments, as far as it is known which arguments are
    /// repeated in headers.
    static @Nullable RequestRefusal ofArguments(ToolHeaders tools, HttpHeaders headers, Message.Request request) {
        JsonView params = request.params();
        if (params == null || !request.method().equals("tools/call")) {
            return null;
        }
        String mismatch = tools.of(params).mismatch(headers::values, params.member("arguments"));
        return mismatch == null ? null : RequestRefusal.headerMismatch(mismatch);
    }

    /// The name or URI that the request is about; null if its method has none.
    private static @Nullable String nameIn(Message.Request request) {
        JsonView params = request.params();
        if (params == null) {
            return null;
        }
        return switch (request.method()) {
            case "tools/call", "prompts/get" -> params.string("name");
            case "resources/read" -> params.string("uri");
            case "tasks/get", "tasks/update", "tasks/cancel" -> params.string("taskId");
            default -> null;
        };
    }

    private static @Nullable RequestRefusal mismatch(HttpHeaders headers, String name, String expected) {
        List<String> values = headers.values(name);
        if (values.size() != 1) {
            return RequestRefusal.headerMismatch(
                    values.isEmpty() ? name + " is missing" : name + " appears more than once");
        }
        String found = HeaderValueEncoding.decoded(values.getFirst());
        return expected.equals(found) ? null : RequestRefusal.headerMismatch(name + " does not match the body");
    }
}
