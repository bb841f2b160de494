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

/// A client's call of one of the gateway's own tools. Immutable but for the call's deadline.
///
/// @param call as the client made it
/// @param form the form of results that the client understands
/// @param serverAccess the servers as this client may call them
/// @param client the owner of the call for fair queueing
public record GatewayToolCall(Call call, ResultFormat form, ServerAccess serverAccess, Object client) {
    private static final JsonView NOTHING = JsonView.of("{}");

    /// The arguments; an empty object if there are none.
    public JsonView arguments() {
        JsonView arguments = call.request().frame().path("params", "arguments");
        return arguments == null || arguments.isNull() ? NOTHING : arguments;
    }

    /// A successful result: an object, as text content and as structured content.
    ///
    /// @param json the object
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

    /// A call of a server's tool on behalf of this call: the other parameters of the client's request are passed
    /// on, and requests and notifications of the server reach the client.
    ///
    /// @param tool the tool's name as discovery shows it
    /// @param arguments a JSON object
    /// @param deadline the deadline of this call or a separate one
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
