package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How a call ended: with an answer of the server, good or bad, or without one. Immutable.
public sealed interface Outcome {
    /// The server answered; its frame is passed on as it is.
    record Answered(Message.Answer answer) implements Outcome {}

    /// There is no answer.
    record Failed(CallFailure failure) implements Outcome {}

    /// What an answer of a server comes to. A client whose reader is strict would skip an answer of another shape
    /// than the protocol knows, and wait for it until its own time is over: such an answer is a failure.
    static Outcome of(Message.Answer answer, Message.Request request) {
        String wrong = Shape.wrong(answer, request.method());
        return wrong == null ? new Answered(answer) : new Failed(CallFailure.misshapen(wrong));
    }

    /// The shape of answers to requests that clients wait for. What the gateway asks for itself is read more
    /// leniently.
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
