package dev.fusebox.gateway.task;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.MemoryLease;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.gateway.catalog.AnnouncedExtensions;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Follower of the task of one call, for a client that does not know tasks: it polls the server, reports progress, and
/// answers the call when the task has ended. A call that is cancelled, or takes too long, cancels its task. For one
/// thread; blocks at most until the deadline of the call.
final class TaskFollower {
    /// For servers that name no interval.
    private static final Duration USUAL_INTERVAL = Duration.ofSeconds(1);

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(50);

    private final Platform platform;
    private final ServerTask task;
    private final Followed followed;
    private final Endpoint send;
    private final @Nullable JsonView progressToken;
    private @Nullable String lastMessage;
    private int reports;

    /// The call and its task.
    ///
    /// @param server that has the task
    /// @param state the answers of the client so far
    record Followed(Call call, String server, TaskState state) {}

    /// @param send makes a call to the process that works on the task
    TaskFollower(Platform platform, ServerTask task, Followed followed, Endpoint send) {
        this.platform = platform;
        this.task = task;
        this.followed = followed;
        this.send = send;
        this.progressToken = followed.call().request().frame().path("params", "_meta", "progressToken");
    }

    private String server() {
        return followed.server();
    }

    /// Follows the task until the call has an answer.
    ///
    /// @param begun the state that the answer to the call has told
    Outcome follow(JsonView begun) {
        // Results and questions are left out there: the server has to be asked for them.
        return following("working".equals(begun.string("status")) ? begun : null);
    }

    /// Answers the questions of the task, and follows it on.
    ///
    /// @param responses of the client; null if it gave none
    Outcome resume(@Nullable JsonView responses) {
        if (responses == null) {
            return following(null);
        }
        return switch (send.call(request("tasks/update", ",\"inputResponses\":" + responses.json()))) {
            case Outcome.Failed(CallFailure failure) -> unanswered(failure.withDelivery(Delivery.UNKNOWN));
            case Outcome.Answered(Message.Answer answer) ->
                answer.result() == null ? unanswered(notAccepted(answer)) : following(null);
        };
    }

    /// The end of a call whose answers have not reached the task, which would wait for them: it is cancelled. The tool
    /// has been called, whatever became of the answers.
    private Outcome unanswered(CallFailure failure) {
        if (isLate()) {
            return late();
        }
        cancel();
        return new Outcome.Failed(failure);
    }

    private CallFailure notAccepted(Message.Answer answer) {
        return CallFailure.of(
                ErrorId.OUTCOME_UNKNOWN,
                server() + " did not accept the answers to the questions of its task" + reason(answer)
                        + "; the call may have been executed");
    }

    private Outcome following(@Nullable JsonView state) {
        try {
            return answered(state);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(CallFailure.cancelled());
        }
    }

    /// @param state of the task; null if the server is to be asked
    private Outcome answered(@Nullable JsonView state) throws InterruptedException {
        JsonView now = state;
        boolean isFirst = state == null;
        while (now == null || !isAnswer(now)) {
            if (!isFirst && !pause(now)) {
                return late();
            }
            isFirst = false;
            CallFailure loss = task.loss();
            if (loss != null) {
                return new Outcome.Failed(loss);
            }
            Outcome outcome = poll();
            JsonView next = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
            Outcome end = next == null ? end(outcome) : null;
            if (end != null) {
                return end;
            }
            now = next == null ? now : next;
        }
        return answer(now);
    }

    /// Asks for the state. One that does not answer the call counts towards the memory for large responses while it
    /// is read.
    private Outcome poll() {
        Outcome outcome;
        try (MemoryLease _ = MemoryLease.open(platform, deadline())) {
            outcome = send.call(request("tasks/get", ""));
        }
        JsonView state = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
        MemoryLease ofCall = MemoryLease.current();
        if (ofCall != null && state != null && state.length() > MemoryLease.FREE && isAnswer(state)) {
            ofCall.take(state.length());
        }
        return outcome;
    }

    /// The outcome of the call after a poll without a state; null to poll again.
    private @Nullable Outcome end(Outcome outcome) {
        Connection connection = task.connection();
        CallFailure loss = task.loss();
        if (loss != null) {
            return new Outcome.Failed(loss);
        }
        if (connection != null && !connection.isAlive()) {
            return new Outcome.Failed(ServerTasks.ended(server()));
        }
        return switch (outcome) {
            case Outcome.Answered(Message.Answer answer) when isUnknown(answer) -> forgotten(answer);
            case Outcome.Answered _ -> isLate() ? late() : null;
            case Outcome.Failed _ when isLate() -> late();
            case Outcome.Failed(CallFailure failure)
            when isRemoved(failure) -> new Outcome.Failed(failure.withDelivery(Delivery.UNKNOWN));
            case Outcome.Failed _ -> null;
        };
    }

    /// Whether the server says that there is no such task. Any other error may pass.
    private static boolean isUnknown(Message.Answer answer) {
        JsonView error = answer.error();
        int code = number(error == null ? null : error.member("code"));
        return code == JsonRpcErrorCode.INVALID_PARAMS || code == JsonRpcErrorCode.METHOD_NOT_FOUND;
    }

    /// Whether its server can never be polled again: a call that was not given up is cancelled unsent only then.
    private static boolean isRemoved(CallFailure failure) {
        return failure.id() == ErrorId.CANCELLED && failure.delivery() == Delivery.NOT_SENT;
    }

    /// Whether the call has an answer, which may be a question to the client.
    private boolean isAnswer(JsonView state) {
        return ServerTask.isOver(state)
                || ("input_required".equals(state.string("status"))
                        && followed.state().hasUnanswered(state.member("inputRequests")));
    }

    private Outcome answer(JsonView state) {
        String status = state.string("status");
        if (!"input_required".equals(status)) {
            task.release();
        }
        JsonView result = state.member("result");
        if ("input_required".equals(status)) {
            return result(followed.state().asQuestion(state));
        }
        if ("completed".equals(status) && result != null && result.isObject()) {
            return result(result.member("resultType") == null ? complete(result) : result.json());
        }
        if ("failed".equals(status)) {
            return new Outcome.Answered(Message.Answer.of(error(state.member("error"))));
        }
        return new Outcome.Failed(new CallFailure(
                ErrorId.PROTOCOL_VIOLATION,
                FailureCategory.PROTOCOL,
                Delivery.UNKNOWN,
                "cancelled".equals(status)
                        ? server() + " cancelled the task of the call; the call may have been executed"
                        : server() + " completed the task of the call without a result; the call was executed",
                Evidence.NONE));
    }

    private static String complete(JsonView result) {
        byte[] whole =
                Splice.of(result).insert(result, "\"resultType\":\"complete\"").bytes();
        return new String(whole, StandardCharsets.UTF_8);
    }

    private byte[] error(@Nullable JsonView error) {
        JsonView code = error == null ? null : error.member("code");
        JsonView data = error == null ? null : error.member("data");
        String message = error == null ? null : error.string("message");
        return JsonRpcFrames.error(
                followed.call().request().id(),
                number(code),
                Objects.requireNonNullElse(message, "the task failed"),
                data == null ? null : data.json());
    }

    private static int number(@Nullable JsonView code) {
        try {
            return code == null ? JsonRpcErrorCode.INTERNAL_ERROR : Integer.parseInt(code.json());
        } catch (NumberFormatException unclear) {
            return JsonRpcErrorCode.INTERNAL_ERROR;
        }
    }

    private Outcome result(String result) {
        return new Outcome.Answered(
                Message.Answer.of(JsonRpcFrames.result(followed.call().request().id(), result)));
    }

    private Outcome forgotten(Message.Answer answer) {
        task.release();
        return new Outcome.Failed(CallFailure.of(
                ErrorId.OUTCOME_UNKNOWN,
                server() + " no longer knows the task of the call" + reason(answer)
                        + "; the call may have been executed"));
    }

    private static String reason(Message.Answer answer) {
        JsonView error = answer.error();
        String reason = error == null ? null : error.string("message");
        return reason == null ? "" : ": " + HiddenCharacters.of(reason);
    }

    // ---- Time

    private Deadline deadline() {
        return followed.call().deadline();
    }

    private boolean isLate() {
        return deadline().left() <= 0;
    }

    /// Waits for the next poll; false if the time of the call is over.
    private boolean pause(@Nullable JsonView state) throws InterruptedException {
        if (state != null) {
            report(state);
        }
        Duration given = state == null ? Duration.ZERO : ServerTask.interval(state);
        Duration interval = given.isZero() ? USUAL_INTERVAL : given;
        task.pause(interval.compareTo(SHORTEST_INTERVAL) < 0 ? SHORTEST_INTERVAL : interval, deadline());
        return !isLate();
    }

    /// The end of a call whose client does not wait any more. The task is cancelled in the background.
    private Outcome late() {
        cancel();
        boolean isCancelled = deadline().isGivenUp() && !deadline().isExpired();
        return new Outcome.Failed(
                isCancelled
                        ? CallFailure.cancelled()
                        : CallFailure.timeout(
                                server() + " did not finish the task of the call in time; the call may have been"
                                        + " executed"));
    }

    private void cancel() {
        TaskCancellation.begin(platform, request("tasks/cancel", ""), send, task::release);
    }

    // ---- Messages

    /// A request about the task. The gateway makes it for itself: it knows tasks.
    private Call request(String method, String more) {
        Call call = followed.call();
        String params = "{\"taskId\":" + JsonWriter.quoted(followed.state().own()) + more + "}";
        byte[] frame = JsonRpcFrames.request(call.request().id(), method, params);
        Call request = new Call(
                Message.Request.of(frame),
                ClientMetadata.OF_GATEWAY.as(call.client()).withExtension(AnnouncedExtensions.TASKS),
                call.deadline(),
                Caller.SILENT);
        return task.connection() == null ? request : request.with(new TaskCaller(Caller.SILENT, task.connection()));
    }

    /// Reports a new status message as progress, if the client wants to be told.
    private void report(JsonView state) {
        String message = state.string("statusMessage");
        if (progressToken == null || message == null || message.equals(lastMessage)) {
            return;
        }
        lastMessage = message;
        reports++;
        String params = new JsonWriter()
                .beginObject()
                .name("progressToken")
                .raw(progressToken)
                .name("progress")
                .number(reports)
                .name("message")
                .string(message)
                .endObject()
                .toString();
        followed.call().caller().progress(JsonRpcFrames.notification("notifications/progress", params));
    }
}
