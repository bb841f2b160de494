package dev.fusebox.gateway.served;

import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.time.Duration;

/// Puts a failed call into the words of the protocol: a tool's failure is a result that a model can read, any other is
/// an error. Both carry the same object for programs. Pure functions, thread-safe; nothing blocks.
public final class FaultFrames {
    private FaultFrames() {}

    /// The answer to the request.
    public static byte[] of(Message.Request request, String server, Fault fault) {
        String error = error(request, server, fault);
        if (!request.method().equals("tools/call")) {
            String data = "{\"fusebox/error\":" + error + "}";
            return Frames.error(request.id(), ErrorCode.INTERNAL_ERROR, fault.message(), data);
        }
        JsonWriter result = new JsonWriter().beginObject().name("content").beginArray();
        result.beginObject()
                .name("type")
                .string("text")
                .name("text")
                .string(fault.message())
                .endObject();
        // Clients of the stateless era ask for it, and those of the session era pass over it.
        result.endArray().name("isError").bool(true).name("resultType").string("complete");
        result.name("_meta").beginObject().name("fusebox/error").raw(error).endObject();
        return Frames.result(request.id(), result.endObject().toString());
    }

    private static String error(Message.Request request, String server, Fault fault) {
        JsonWriter error = new JsonWriter().beginObject();
        error.name("code").string(fault.code().toString()).name("server").string(server);
        var params = request.params();
        String tool = params == null ? null : params.string("name");
        if (tool != null) {
            error.name("tool").string(tool);
        }
        error.name("category").string(fault.category().toString());
        error.name("outcome").string(fault.reached().toString());
        error.name("message").string(fault.message());
        Duration wait = fault.retryAfter();
        if (wait != null) {
            error.name("retryAfterMs").number(wait.toMillis());
        }
        if (!fault.evidence().isEmpty()) {
            error.name("cause").raw(cause(fault.evidence()));
        }
        return error.endObject().toString();
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
