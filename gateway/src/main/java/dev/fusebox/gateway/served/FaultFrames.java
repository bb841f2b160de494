package dev.fusebox.gateway.served;

import dev.fusebox.breaker.Rejection;
import dev.fusebox.client.Category;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.gateway.ailment.Ailment;
import dev.fusebox.gateway.ailment.Ailments;
import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.VisibleText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Puts a failed call into the words of the protocol: a tool's failure is a result that a model can read, any other is
/// an error. Both carry the same object for programs. Pure functions, thread-safe; nothing blocks.
public final class FaultFrames {
    /// Longer ones no model reads.
    private static final int LONGEST_SCHEMA = 4_000;

    private FaultFrames() {}

    /// The answer to a request of a session.
    ///
    /// @param server that it was for, if the fault does not say
    public static byte[] of(Message.Request request, String server, Fault fault) {
        return of(request, server, fault, false);
    }

    /// The answer to a request of the stateless era, in which a result says that it is complete.
    ///
    /// @param server that it was for, if the fault does not say
    public static byte[] stateless(Message.Request request, String server, Fault fault) {
        return of(request, server, fault, true);
    }

    /// The answer to a call of a tool of the gateway's own. A schema is not said once more where only a program looks.
    public static byte[] structured(Message.Request request, Fault fault, ResultForm form) {
        String object = "{\"error\":" + error(request, "fusebox", fault, true) + "}";
        String brief = error(request, "fusebox", fault, false);
        return Frames.result(request.id(), form.failure(FaultText.of(fault), object, brief));
    }

    /// What failed, in one sentence for a model.
    public static String sentence(Fault fault) {
        return FaultText.of(fault);
    }

    private static void text(String text, JsonWriter content) {
        content.beginObject()
                .name("type")
                .string("text")
                .name("text")
                .string(VisibleText.of(text))
                .endObject();
    }

    private static byte[] of(Message.Request request, String server, Fault fault, boolean saysComplete) {
        String data = data(error(request, server, fault, true));
        if (!isCall(request)) {
            int code = fault.category() == Category.POLICY ? ErrorCode.INVALID_PARAMS : ErrorCode.INTERNAL_ERROR;
            return Frames.error(request.id(), code, VisibleText.of(fault.message()), data);
        }
        JsonWriter result = new JsonWriter().beginObject().name("content").beginArray();
        String schema = fault.evidence().context().schema();
        text(FaultText.of(fault) + (schema == null ? "" : " Its schema: " + shortened(schema)), result);
        result.endArray().name("isError").bool(true);
        if (saysComplete) {
            result.name("resultType").string("complete");
        }
        result.name("_meta").raw(data);
        return Frames.result(request.id(), result.endObject().toString());
    }

    /// The object for programs, under its name: what stands in an error beside its code and its message.
    private static String data(String error) {
        return "{\"fusebox/error\":" + error + "}";
    }

    private static String shortened(String schema) {
        return schema.length() <= LONGEST_SCHEMA ? schema : schema.substring(0, LONGEST_SCHEMA) + "...";
    }

    /// One that is too long is a text that breaks off.
    private static void schema(String schema, JsonWriter error) {
        error.name("inputSchema");
        if (schema.length() <= LONGEST_SCHEMA) {
            error.raw(schema);
        } else {
            error.string(shortened(schema));
        }
    }

    private static boolean isCall(Message.Request request) {
        return request.method().equals("tools/call");
    }

    /// @param inFull whether a schema is said, if there is one
    private static String error(Message.Request request, String server, Fault fault, boolean inFull) {
        Evidence.Context context = fault.evidence().context();
        JsonWriter error = new JsonWriter().beginObject();
        error.name("code").string(code(fault).toString());
        error.name("server").string(Objects.requireNonNullElse(context.server(), server));
        String tool = context.server() == null ? tool(request) : context.tool();
        if (tool != null) {
            error.name("tool").string(tool);
        }
        error.name("category").string(category(fault).toString());
        error.name("outcome").string(fault.reached().toString());
        error.name("message").string(fault.message());
        retry(fault, error);
        if (!fault.evidence().isEmpty()) {
            error.name("cause").raw(cause(fault.evidence()));
        }
        if (!context.alternatives().isEmpty()) {
            error.name("alternatives").raw(alternatives(context.alternatives()));
        }
        if (inFull && context.schema() != null) {
            schema(context.schema(), error);
        }
        Ailment ailment = Ailments.of(fault);
        error.name("id").string(ailment.id()).name("help").string(ailment.page());
        return VisibleText.json(error.endObject().toString());
    }

    private static @Nullable String tool(Message.Request request) {
        JsonView params = request.params();
        return params == null || !isCall(request) ? null : params.string("name");
    }

    /// That a session was lost is between the server and us: clients are told what it looked like.
    private static FaultCode code(Fault fault) {
        return fault.code() == FaultCode.SESSION_LOST ? FaultCode.HTTP_ERROR : fault.code();
    }

    /// A tool that is given up is out of reach, unless it crashes its server.
    private static Category category(Fault fault) {
        boolean isOutOfReach = fault.code() == FaultCode.TOOL_BREAKER_OPEN && fault.category() != Category.STDIO_EXIT;
        return isOutOfReach ? Category.OFFLINE : fault.category();
    }

    /// When to come back, and who says so.
    private static void retry(Fault fault, JsonWriter error) {
        Duration wait = fault.retryAfter();
        if (wait != null) {
            error.name("retryAfterMs").number(Math.max(1, wait.toMillis()));
        }
        Rejection rejection = fault.rejection();
        if (rejection != null && wait == null) {
            // Nobody knows: an operator decides.
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
