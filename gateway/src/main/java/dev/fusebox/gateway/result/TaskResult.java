package dev.fusebox.gateway.result;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.session.FailureFrames;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The result in the state of a task, which clients get as if it were the result of the call that began the task. Pure
/// functions, thread-safe; nothing blocks.
public final class TaskResult {
    private static final RequestId ID = RequestId.of("task");
    private static final Message.Request CALL = Message.Request.of(JsonRpcFrames.request(ID, "tools/call", "{}"));

    private TaskResult() {}

    /// The answer to `tasks/get`; the same outcome if the rules change nothing.
    ///
    /// @param server that has the task
    /// @param rules applies the rules for results of calls
    public static Outcome limitedResponse(Outcome outcome, String server, UnaryOperator<Outcome> rules) {
        JsonView state = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
        if (state == null || !(outcome instanceof Outcome.Answered(Message.Answer answer))) {
            return outcome;
        }
        byte[] changed = changed(answer.frame(), state, server, rules);
        return changed == null ? outcome : new Outcome.Answered(answer.withFrame(changed));
    }

    /// The same for the state in a notification.
    public static Message.Notification limitedNotification(
            Message.Notification notification, String server, UnaryOperator<Outcome> rules) {
        JsonView state = notification.params();
        byte[] changed = state == null ? null : changed(notification.frame(), state, server, rules);
        return changed == null ? notification : Message.Notification.of(changed);
    }

    private static byte @Nullable [] changed(
            JsonView frame, JsonView state, String server, UnaryOperator<Outcome> rules) {
        JsonView result = state.member("result");
        if (result == null) {
            return null;
        }
        Outcome whole = new Outcome.Answered(Message.Answer.of(JsonRpcFrames.result(ID, result.json())));
        Outcome shown = rules.apply(whole);
        if (shown.equals(whole)) {
            return null;
        }
        Message.Answer answer = switch (shown) {
            case Outcome.Answered(Message.Answer changed) -> changed;
            case Outcome.Failed(CallFailure failure) ->
                Message.Answer.of(FailureFrames.stateless(CALL, server, failure));
        };
        JsonView changed = answer.result();
        return changed == null
                ? null
                : Splice.of(frame).replace(result, changed.json()).bytes();
    }
}
