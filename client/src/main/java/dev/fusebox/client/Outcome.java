package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Outcome of a call: a response of the server, result or error, or a failure without one. Immutable.
public sealed interface Outcome {
    /// The server responded; its frame is passed on unchanged.
    record Answered(Message.Answer answer) implements Outcome {}

    /// There is no response.
    record Failed(CallFailure failure) implements Outcome {}

    /// The outcome of a response. A client with a strict reader would skip a response of a shape that the protocol
    /// does not know, and wait until its own timeout: such a response is a failure.
    static Outcome of(Message.Answer answer, Message.Request request) {
        String wrong = Shape.wrong(answer, request.method());
        return wrong == null ? new Answered(answer) : new Failed(CallFailure.invalidShape(wrong));
    }

    /// Check of the shape of responses to requests that clients wait for. Responses to the own requests of the
    /// gateway are read more leniently.
    final class Shape {
        private static final Set<String> CHECKED =
                Set.of("tools/call", "prompts/get", "resources/read", "completion/complete");

        private Shape() {}

        private static @Nullable String wrong(Message.Answer answer, String method) {
            if (!CHECKED.contains(method)) {
                return null;
            }
            JsonView result = answer.result();
            JsonView error = answer.error();
            if (error == null) {
                return result == null || result.isObject() ? null : "the result is not an object";
            }
            JsonView code = error.isObject() ? error.member("code") : null;
            boolean hasCode = code != null && code.isNumber();
            return hasCode && error.string("message") != null ? null : "the error has no code or no message";
        }
    }
}
