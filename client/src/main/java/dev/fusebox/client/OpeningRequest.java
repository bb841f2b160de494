package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The first request to a new process of a server without a handshake. Its answer shows that the process has
/// started, so a failed start is known before a call is sent.
///
/// @param isAccepted whether calls may follow an answer: a server that does not know the request cannot be called
record OpeningRequest(Message.Request request, Predicate<Outcome> isAccepted) {
    /// Why no call may follow this outcome; null if calls may.
    @Nullable
    CallFailure failure(Outcome outcome) {
        if (outcome instanceof Outcome.Failed(CallFailure failure)) {
            return failure;
        }
        return isAccepted.test(outcome) ? null : CallFailure.of(ErrorId.HANDSHAKE_REFUSED, refusal(request, outcome));
    }

    /// The server's own message is left out: it may contain secrets.
    static String refusal(Message.Request request, Outcome outcome) {
        JsonView code = outcome instanceof Outcome.Answered(Message.Answer answer)
                ? answer.frame().path("error", "code")
                : null;
        return "the server rejected " + request.method() + (code == null ? "" : ", with error " + code.json());
    }
}
