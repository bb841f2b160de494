package dev.fusebox.gateway.era;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The translation of a modern client's messages for legacy servers, and of the answers back. Pure functions;
/// everything that need not change stays byte for byte.
final class EraTranslation {
    /// Methods whose results carry a cache time (revision 2026-07-28, section "Caching").
    private static final Set<String> CACHED = Set.of(
            "server/discover",
            "tools/list",
            "prompts/list",
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "skills/list",
            "skills/get",
            // The specification does not require a cache time here, but the official client does.
            "resources/directory/read");

    /// A legacy server never declares a cache time, so the result must not be cached.
    private static final String NOT_KEPT = "\"ttlMs\":0,\"cacheScope\":\"private\"";

    private EraTranslation() {}

    /// The request without fields that only the modern era has.
    static Message.Request forSession(Message.Request request) {
        return ModernFields.outOf(request);
    }

    /// The answer with the fields that the modern era requires.
    ///
    /// @param serverInfo as the server gave it in the handshake; null if it gave none
    static Message.Answer forStateless(String method, Message.Answer answer, @Nullable JsonView serverInfo) {
        JsonView result = answer.result();
        return Message.Answer.of(
                result == null
                        ? error(method, answer.frame())
                        : result.isObject()
                                ? result(method, answer.frame(), result, serverInfo)
                                : answer.frame().bytes());
    }

    private static byte[] result(String method, JsonView frame, JsonView result, @Nullable JsonView serverInfo) {
        StringBuilder members = new StringBuilder();
        if (result.member("resultType") == null) {
            members.append("\"resultType\":\"complete\"");
        }
        if (CACHED.contains(method) && result.member("ttlMs") == null) {
            members.append(members.isEmpty() ? "" : ",").append(NOT_KEPT);
        }
        Splice splice = Splice.of(frame);
        JsonView meta = result.member("_meta");
        if (serverInfo != null && meta == null) {
            members.append(members.isEmpty() ? "" : ",").append("\"_meta\":{").append(identity(serverInfo));
            members.append('}');
        } else if (serverInfo != null
                && meta != null
                && meta.isObject()
                && meta.member(ClientMetadata.SERVER_INFO) == null) {
            splice.insert(meta, identity(serverInfo));
        }
        return members.isEmpty()
                ? splice.bytes()
                : splice.insert(result, members.toString()).bytes();
    }

    private static String identity(JsonView serverInfo) {
        return "\"" + ClientMetadata.SERVER_INFO + "\":" + serverInfo.json();
    }

    /// *Resource not found* has another error code in the modern era.
    private static byte[] error(String method, JsonView frame) {
        JsonView code = frame.path("error", "code");
        boolean notFound = method.equals("resources/read")
                && code != null
                && code.json().equals(Integer.toString(JsonRpcErrorCode.RESOURCE_NOT_FOUND));
        Splice splice = Splice.of(frame);
        return notFound
                ? splice.replace(code, Integer.toString(JsonRpcErrorCode.INVALID_PARAMS))
                        .bytes()
                : splice.bytes();
    }
}
