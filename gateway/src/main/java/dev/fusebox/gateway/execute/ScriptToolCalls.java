package dev.fusebox.gateway.execute;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.catalog.AnnouncedExtensions;
import dev.fusebox.gateway.observe.ScriptTrace;
import dev.fusebox.gateway.session.FailureFrames;
import dev.fusebox.gateway.session.ResponseRelay;
import dev.fusebox.gateway.tools.GatewayToolCall;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.sandbox.ScriptHost;
import java.util.List;
import java.util.Objects;

/// The servers as a script calls them: on behalf of the client that runs the script, through the same pipeline as
/// all calls. The gateway's own tools are not available.
///
/// @param trace the trace of the script, parent of the calls' spans
record ScriptToolCalls(GatewayToolCall call, List<String> servers, ScriptTrace trace) implements ScriptHost {
    @Override
    public Object client() {
        return call.client();
    }

    @Override
    public Answer call(Request request, Deadline deadline) {
        Call plain = call.inner(request.tool(), request.args().json(), deadline);
        // A script waits for results, and gets no tasks.
        Call inner = new Call(
                trace.within(plain.request()),
                plain.client().withoutExtension(AnnouncedExtensions.TASKS),
                deadline,
                new ScriptCaller(plain.caller()));
        return switch (call.serverAccess().call(request.server(), inner, null)) {
            case Outcome.Answered(Message.Answer answer) -> answer(request, ResponseRelay.theirs(answer));
            case Outcome.Failed(CallFailure failure) ->
                new Answer.Bad(
                        FailureFrames.sentence(failure),
                        error(FailureFrames.of(inner.request(), request.server(), failure)));
        };
    }

    private static JsonView error(byte[] frame) {
        JsonView error = Message.Answer.of(frame).frame().path("result", "_meta", "fusebox/error");
        return JsonView.of(Objects.requireNonNull(error).json());
    }

    private static Answer answer(Request request, Message.Answer answer) {
        JsonView result = answer.result();
        if (result == null) {
            JsonView error = answer.error();
            String message = error == null ? null : error.string("message");
            return bad(request, Objects.requireNonNullElse(message, "the server rejected the call"));
        }
        JsonView isError = result.member("isError");
        return isError != null && isError.isTrue()
                ? bad(request, ToolResultValue.text(result))
                : new Answer.Good(ToolResultValue.value(result));
    }

    /// The server answered with an error.
    private static Answer bad(Request request, String message) {
        JsonWriter error = new JsonWriter().beginObject().name("code").string("tool_failed");
        error.name("server").string(request.server()).name("tool").string(request.tool());
        error.name("category").string("protocol").name("outcome").string("rejected");
        error.name("message").string(HiddenCharacters.of(message));
        return new Answer.Bad(message, JsonView.of(error.endObject().toString()));
    }
}
