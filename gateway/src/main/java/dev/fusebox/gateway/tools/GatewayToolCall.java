package dev.fusebox.gateway.tools;

import dev.fusebox.client.Call;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.session.ResultFormat;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.util.Objects;

/// What a client asks a tool of the gateway's own for. Immutable but for the call's patience.
///
/// @param call as the client made it
/// @param form how the client reads results
/// @param serverAccess as this client reaches them
/// @param client whose turn it is when orders wait
public record GatewayToolCall(Call call, ResultFormat form, ServerAccess serverAccess, Object client) {
    private static final JsonView NOTHING = JsonView.of("{}");

    /// What the tool is called with; an empty object if nothing.
    public JsonView arguments() {
        JsonView arguments = call.request().frame().path("params", "arguments");
        return arguments == null || arguments.isNull() ? NOTHING : arguments;
    }

    /// A good answer: an object, once as text and once as it is.
    ///
    /// @param json of the object
    public Outcome answer(String json) {
        JsonWriter result = new JsonWriter().beginObject().name("content").beginArray();
        result.beginObject()
                .name("type")
                .string("text")
                .name("text")
                .string(json)
                .endObject();
        result.endArray().name("structuredContent").raw(json);
        if (!form.inSession()) {
            result.name("resultType").string("complete");
        }
        String answer = result.endObject().toString();
        return new Outcome.Answered(
                Message.Answer.of(JsonRpcFrames.result(call.request().id(), answer)));
    }

    /// A call of a server's tool in the name of this one: everything that the client said beside name and
    /// arguments goes with it, and what it is asked meanwhile comes back to it.
    ///
    /// @param tool as discovery names it
    /// @param arguments JSON of an object
    /// @param deadline that of this call, or one of its own
    public Call inner(String tool, String arguments, Deadline deadline) {
        JsonView frame = call.request().frame();
        JsonView params = Objects.requireNonNull(call.request().params(), "a call of a tool has parameters");
        JsonView before = params.member("arguments");
        Splice splice = Splice.of(frame).replace(params.member("name"), JsonWriter.quoted(tool));
        byte[] request = before == null
                ? splice.insert(params, "\"arguments\":" + arguments).bytes()
                : splice.replace(before, arguments).bytes();
        return call.with(Message.Request.of(request)).within(deadline);
    }
}
