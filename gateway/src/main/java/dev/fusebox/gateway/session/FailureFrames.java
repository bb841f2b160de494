package dev.fusebox.gateway.session;

import dev.fusebox.breaker.Rejection;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Encoder of failed calls as protocol messages: the failure of a tool call is a result that a model can read, any
/// other failure is an error. Both contain the same object for programs. Pure functions, thread-safe; nothing
/// blocks.
public final class FailureFrames {
    /// Longer schemas are cut, because models do not read them.
    private static final int MAX_SCHEMA = 4_000;

    private FailureFrames() {}

    /// The response to a request of a legacy session.
    ///
    /// @param server the server of the request, if the failure does not name it
    public static byte[] of(Message.Request request, String server, CallFailure failure) {
        return of(request, server, failure, false);
    }

    /// The response to a request of the modern era, in which a result states that it is complete.
    ///
    /// @param server the server of the request, if the failure does not name it
    public static byte[] stateless(Message.Request request, String server, CallFailure failure) {
        return of(request, server, failure, true);
    }

    /// The response to a call of a gateway tool. The schema is not repeated where only a program reads it.
    public static byte[] structured(Message.Request request, CallFailure failure, ResultFormat form) {
        String object = "{\"error\":" + error(request, "fusebox", failure, true) + "}";
        String brief = error(request, "fusebox", failure, false);
        return JsonRpcFrames.result(request.id(), form.failure(FailureText.of(failure), object, brief));
    }

    /// The failure as the error of a task.
    ///
    /// @param server the server of the task, if the failure does not name it
    public static String taskError(String server, CallFailure failure) {
        return new JsonWriter()
                .beginObject()
                .name("code")
                .number(JsonRpcErrorCode.INTERNAL_ERROR)
                .name("message")
                .string(HiddenCharacters.of(failure.message()))
                .name("data")
                .raw(data(error(null, server, failure, false)))
                .endObject()
                .toString();
    }

    /// The failure as one sentence for a model.
    public static String sentence(CallFailure failure) {
        return FailureText.of(failure);
    }

    private static void text(String text, JsonWriter content) {
        content.beginObject()
                .name("type")
                .string("text")
                .name("text")
                .string(HiddenCharacters.of(text))
                .endObject();
    }

    private static byte[] of(Message.Request request, String server, CallFailure failure, boolean saysComplete) {
        String data = data(error(request, server, failure, true));
        if (!isCall(request)) {
            int code = failure.category() == FailureCategory.POLICY
                    ? JsonRpcErrorCode.INVALID_PARAMS
                    : JsonRpcErrorCode.INTERNAL_ERROR;
            return JsonRpcFrames.error(request.id(), code, HiddenCharacters.of(failure.message()), data);
        }
        JsonWriter result = new JsonWriter().beginObject().name("content").beginArray();
        String schema = failure.evidence().context().schema();
        text(FailureText.of(failure) + (schema == null ? "" : " Its schema: " + shortened(schema)), result);
        result.endArray().name("isError").bool(true);
        if (saysComplete) {
            result.name("resultType").string("complete");
        }
        result.name("_meta").raw(data);
        return JsonRpcFrames.result(request.id(), result.endObject().toString());
    }

    /// The error object for programs under its key: the `data` of an error, beside code and message.
    private static String data(String error) {
        return "{\"fusebox/error\":" + error + "}";
    }

    private static String shortened(String schema) {
        return schema.length() <= MAX_SCHEMA ? schema : schema.substring(0, MAX_SCHEMA) + "...";
    }

    /// A schema that is too long is included as cut text.
    private static void schema(String schema, JsonWriter error) {
        error.name("inputSchema");
        if (schema.length() <= MAX_SCHEMA) {
            error.raw(schema);
        } else {
            error.string(shortened(schema));
        }
    }

    private static boolean isCall(Message.Request request) {
        return request.method().equals("tools/call");
    }

    /// @param request that has failed; null if it has been answered before
    /// @param inFull whether to include the schema, if there is one
    private static String error(Message.@Nullable Request request, String server, CallFailure failure, boolean inFull) {
        Evidence.Context context = failure.evidence().context();
        JsonWriter error = new JsonWriter().beginObject();
        error.name("code").string(failure.code().toString());
        error.name("server").string(Objects.requireNonNullElse(context.server(), server));
        String tool = context.server() == null ? tool(request) : context.tool();
        if (tool != null) {
            error.name("tool").string(tool);
        }
        error.name("category").string(category(failure).toString());
        error.name("outcome").string(failure.delivery().toString());
        error.name("message").string(failure.message());
        retry(failure, error);
        if (!failure.evidence().isEmpty()) {
            error.name("cause").raw(cause(failure.evidence()));
        }
        if (!context.alternatives().isEmpty()) {
            error.name("alternatives").raw(alternatives(context.alternatives()));
        }
        if (inFull && context.schema() != null) {
            schema(context.schema(), error);
        }
        error.name("id")
                .string(failure.id().id())
                .name("help")
                .string(failure.id().page());
        return HiddenCharacters.json(error.endObject().toString());
    }

    private static @Nullable String tool(Message.@Nullable Request request) {
        JsonView params = request == null || !isCall(request) ? null : request.params();
        return params == null ? null : params.string("name");
    }

    /// An abandoned tool counts as offline, unless it crashes its server.
    private static FailureCategory category(CallFailure failure) {
        boolean isOutOfReach =
                failure.id() == ErrorId.TOOL_BREAKER_OPEN && failure.category() != FailureCategory.STDIO_EXIT;
        return isOutOfReach ? FailureCategory.OFFLINE : failure.category();
    }

    /// When to retry.
    private static void retry(CallFailure failure, JsonWriter error) {
        Duration wait = failure.retryAfter();
        if (wait != null) {
            error.name("retryAfterMs").number(Math.max(1, wait.toMillis()));
        }
        Rejection rejection = failure.rejection();
        if (rejection != null && wait == null) {
            // Unknown: an operator decides.
            error.name("retryAfterMs").raw("null");
        }
        if (rejection == null) {
            return;
        }
        Instant at = rejection.retryAt();
        if (at != null) {
            error.name("retryAt").string(at.truncatedTo(ChronoUnit.MILLIS).toString());
        }
        error.name("breaker").beginObject();
        error.name("name").string(rejection.name().toString());
        error.name("scope").string(rejection.scope().toString());
        error.name("state").string(rejection.state().toString());
        error.name("failureCount").number(rejection.failureCount()).endObject();
    }

    private static String alternatives(List<Evidence.Alternative> alternatives) {
        JsonWriter list = new JsonWriter().beginArray();
        alternatives.forEach(other -> list.beginObject()
                .name("server")
                .string(other.server())
                .name("tool")
                .string(other.tool())
                .endObject());
        return list.endArray().toString();
    }

    private static String cause(Evidence evidence) {
        JsonWriter cause = new JsonWriter().beginObject();
        cause.name("exitCode").raw(String.valueOf(evidence.exitCode()));
        cause.name("signal").string(evidence.signal()).name("stderrTail").beginArray();
        evidence.stderrTail().forEach(cause::string);
        cause.endArray().name("httpStatus").raw(String.valueOf(evidence.httpStatus()));
        return cause.endObject().toString();
    }
}
