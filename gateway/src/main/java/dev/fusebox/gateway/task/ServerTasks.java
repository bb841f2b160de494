package dev.fusebox.gateway.task;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Promise;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.gateway.catalog.AnnouncedExtensions;
import dev.fusebox.gateway.session.ResponseRelay;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The tasks that one server has begun for clients (extension `io.modelcontextprotocol/tasks`). Clients get ids that
/// name the server; its poll interval is kept towards it, however often clients poll; and a task whose process has
/// ended is failed. Thread-safe; [#begun], [#resumed] and [#request] block, at most until the deadline of the call.
public final class ServerTasks {
    /// How long an id is valid. When a task expires is for the server to say.
    private static final Duration LIFE = Duration.ofDays(365);

    private final Platform platform;
    private final String server;
    private final TaskIds ids;
    private final TaskTable table;

    /// @param server the name that clients know
    public ServerTasks(Platform platform, String server, TaskIds ids) {
        this.platform = platform;
        this.server = server;
        this.ids = ids;
        this.table = new TaskTable(platform);
    }

    /// Whether a client has announced that it knows tasks. A legacy client cannot: the tasks of its era are another
    /// protocol.
    public static boolean areKnownTo(ClientMetadata client) {
        return !client.isLegacy() && client.hasExtension(AnnouncedExtensions.TASKS);
    }

    /// Whether a server has answered with a task in place of a result.
    public static boolean isTask(Message.Answer answer) {
        JsonView result = answer.result();
        return result != null && "task".equals(result.string("resultType"));
    }

    // ---- Begin

    /// The outcome of a call that the server has answered with a task. A client that knows tasks gets its id; for any
    /// other the task is followed until it ends, which blocks at most until the deadline of the call.
    ///
    /// @param connection on which the server has answered; null if that is not known
    /// @param send makes a call to the server
    public Outcome begun(Call call, Message.Answer answer, @Nullable Connection connection, Endpoint send) {
        JsonView result = answer.result();
        String own = result == null ? null : result.string("taskId");
        if (result == null || own == null || !TaskId.isUsable(own)) {
            return new Outcome.Failed(withoutId());
        }
        Long process = connection == null ? null : connection.process();
        // As exact as in the id, by which the task is found.
        Instant now = platform.wallClock().instant().truncatedTo(ChronoUnit.MILLIS);
        TaskId task = new TaskId(server, own, process == null ? "" : ids.process(process), now, now.plus(LIFE));
        ServerTask known = track(task, process == null ? null : connection);
        if (areKnownTo(call.client())) {
            known.begun(result);
            table.limitMemory();
            return new Outcome.Answered(withClientId(task, call, answer));
        }
        TaskState state = TaskState.of(ids.sign(task, call.client().principal()), task);
        return new TaskFollower(platform, known, new TaskFollower.Followed(call, server, state), send).follow(result);
    }

    /// Whether the call carries the client's answers to questions of a followed task.
    public static boolean continuesTask(Call call) {
        return TaskState.signedIdIn(call) != null;
    }

    /// Goes on with a followed task whose questions the client has answered. Blocks at most until the deadline of the
    /// call.
    ///
    /// @param send makes a call to the server
    public Outcome resumed(Call call, Endpoint send) {
        String signedId = TaskState.signedIdIn(call);
        TaskId id = signedId == null ? null : ids.verify(signedId, call.client().principal());
        if (signedId == null || id == null || !id.server().equals(server)) {
            return new Outcome.Failed(CallFailure.policy(
                    ErrorId.PROTOCOL_VIOLATION,
                    "requestState names a task that was not issued to this client, or has expired; call the tool"
                            + " again"));
        }
        ServerTask task = found(id);
        if (task == null) {
            return new Outcome.Failed(isOfAnotherRun(id) ? ofAnotherRun() : unknown("is no longer known"));
        }
        CallFailure loss = task.loss();
        if (loss != null) {
            return new Outcome.Failed(loss);
        }
        TaskFollower follower = new TaskFollower(
                platform, task, new TaskFollower.Followed(call, server, TaskState.in(call, signedId, id)), send);
        return follower.resume(TaskState.responses(call));
    }

    private CallFailure withoutId() {
        return new CallFailure(
                ErrorId.PROTOCOL_VIOLATION,
                FailureCategory.PROTOCOL,
                Delivery.UNKNOWN,
                server + " answered with a task that has no usable id; the call may have been executed",
                Evidence.NONE);
    }

    /// @param connection the connection to the process that works on it; null if it outlives connections
    private ServerTask track(TaskId id, @Nullable Connection connection) {
        ServerTask task = table.add(id, connection);
        noteEnd(task);
        return task;
    }

    /// A connection that ends is marked before its tasks are looked for: a task may have been added in between.
    private void noteEnd(ServerTask task) {
        Connection connection = task.connection();
        if (connection != null && !connection.isAlive()) {
            task.lost(ended());
        }
    }

    /// The answer with the client's id of the task in place of the server's.
    private Message.Answer withClientId(TaskId id, Call call, Message.Answer answer) {
        Splice splice = Splice.of(answer.frame());
        JsonView state = answer.result();
        if (state != null) {
            writeClientId(state, ids.sign(id, call.client().principal()), splice);
        }
        return Message.Answer.of(splice.bytes());
    }

    /// Replaces the server's id by that which the client knows, and removes the server's reserved keys.
    private static void writeClientId(JsonView state, String shown, Splice splice) {
        JsonView own = state.member("taskId");
        if (own != null) {
            splice.replace(own, JsonWriter.quoted(shown));
        }
        ResponseRelay.cleanTask(state, splice);
    }

    // ---- Requests

    /// Answers a request about a task of this server.
    ///
    /// @param call with the client's id
    /// @param send makes a call to the server
    public Outcome request(TaskId id, Call call, Endpoint send) {
        ServerTask task = found(id);
        if (task == null) {
            return isOfAnotherRun(id)
                    ? failedAnswer(id, call, ofAnotherRun())
                    : unknownTask(call, "the process that worked on it is no longer known");
        }
        noteEnd(task);
        CallFailure loss = task.loss();
        if (loss != null) {
            return failedAnswer(id, call, loss);
        }
        if (task.isOver() && task.isGone()) {
            return lastAnswer(task, id, call);
        }
        Outcome outcome =
                call.request().method().equals("tasks/get") ? poll(task, id, call, send) : change(task, id, call, send);
        boolean hasResult = outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null;
        return hasResult ? outcome : withoutResult(task, id, call, outcome);
    }

    /// What is known now that the server has not answered: its process may have ended meanwhile.
    private Outcome withoutResult(ServerTask task, TaskId id, Call call, Outcome outcome) {
        CallFailure loss = task.loss();
        if (loss != null) {
            return failedAnswer(id, call, loss);
        }
        if (task.isOver() && task.isGone()) {
            return lastAnswer(task, id, call);
        }
        boolean isUnreachable = outcome instanceof Outcome.Failed(CallFailure failure)
                && failure.id() == ErrorId.SERVER_EXITED
                && failure.delivery() == Delivery.NOT_SENT;
        return isUnreachable && !task.isGone() ? new Outcome.Failed(replaced()) : outcome;
    }

    /// The process finishes its calls, and takes no others.
    private CallFailure replaced() {
        return CallFailure.notReady(
                ErrorId.SERVER_RESTARTED,
                "the process of " + server
                        + " that works on the task is being replaced and takes no requests; poll again");
    }

    /// The task of an id. One that was forgotten is tracked again, if it is known where it can be asked for; null
    /// otherwise.
    private @Nullable ServerTask found(TaskId id) {
        ServerTask known = table.find(id);
        if (known != null) {
            return known;
        }
        Connection connection = table.connection(id.process());
        return connection == null && !id.process().isEmpty() ? null : track(id, connection);
    }

    /// The answer about a task that had ended before its process did.
    private Outcome lastAnswer(ServerTask task, TaskId id, Call call) {
        if (!call.request().method().equals("tasks/get")) {
            return acknowledged(call);
        }
        String state = task.lastState();
        return state == null
                ? unknownTask(call, "it has ended, and so has the process that had its result")
                : new Outcome.Answered(withClientId(
                        id,
                        call,
                        Message.Answer.of(JsonRpcFrames.result(call.request().id(), state))));
    }

    private static Outcome unknownTask(Call call, String why) {
        byte[] frame =
                JsonRpcFrames.error(call.request().id(), JsonRpcErrorCode.INVALID_PARAMS, "unknown task: " + why, null);
        return new Outcome.Answered(Message.Answer.of(frame).asOurs());
    }

    /// A change of a task that has ended has no effect.
    private static Outcome acknowledged(Call call) {
        byte[] frame = JsonRpcFrames.result(call.request().id(), "{\"resultType\":\"complete\"}");
        return new Outcome.Answered(Message.Answer.of(frame).asOurs());
    }

    private boolean isOfAnotherRun(TaskId id) {
        return !id.process().isEmpty() && !ids.isOfThisRun(id);
    }

    private Outcome poll(ServerTask task, TaskId id, Call call, Endpoint send) {
        ServerTask.Poll poll = task.poll();
        try {
            while (poll instanceof ServerTask.Poll.Wait(Promise<Boolean> done)) {
                call.slot().release();
                if (call.deadline().await(done, platform) == null) {
                    return new Outcome.Failed(notPolled(call));
                }
                poll = task.poll();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(CallFailure.cancelled());
        }
        Outcome outcome = poll instanceof ServerTask.Poll.Recent(String result)
                ? new Outcome.Answered(
                        Message.Answer.of(JsonRpcFrames.result(call.request().id(), result)))
                : asked(task, (ServerTask.Poll.Request) poll, () -> send.call(withServerId(task, id, call)));
        return outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null
                ? new Outcome.Answered(withClientId(id, call, answer))
                : outcome;
    }

    private Outcome asked(ServerTask task, ServerTask.Poll.Request request, Supplier<Outcome> server) {
        JsonView result = null;
        try {
            Outcome outcome = server.get();
            result = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
            return outcome;
        } finally {
            task.polled(request, result);
            table.limitMemory();
        }
    }

    private CallFailure notPolled(Call call) {
        return call.deadline().isGivenUp()
                ? CallFailure.cancelled()
                : CallFailure.timeout(server + " did not answer tasks/get in time");
    }

    private Outcome change(ServerTask task, TaskId id, Call call, Endpoint send) {
        Outcome outcome = send.call(withServerId(task, id, call));
        task.changed();
        boolean isCancelled = call.request().method().equals("tasks/cancel");
        if (isCancelled && outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null) {
            task.release();
        }
        return outcome;
    }

    /// The call with the server's own id, to the process that works on the task.
    private static Call withServerId(ServerTask task, TaskId id, Call call) {
        JsonView shown = call.request().frame().path("params", "taskId");
        Call edited = shown == null ? call : call.edited(Splice.Edit.replace(shown, JsonWriter.quoted(id.own())));
        Connection connection = task.connection();
        return connection == null ? edited : edited.with(new TaskCaller(call.caller(), connection));
    }

    // ---- Losses

    /// Notes the end of a connection.
    public void connectionLost(Connection connection, CallFailure failure) {
        CallFailure cause = failure.category() == FailureCategory.LOCAL ? endedByGateway() : failure;
        table.lost(connection, cause);
    }

    private CallFailure ended() {
        return ended(server);
    }

    /// The failure of a task whose process has ended for a reason that is not known.
    static CallFailure ended(String server) {
        return new CallFailure(
                ErrorId.SERVER_EXITED,
                FailureCategory.STDIO_EXIT,
                Delivery.UNKNOWN,
                "the process of " + server + " that worked on the task has ended",
                Evidence.NONE);
    }

    private CallFailure ofAnotherRun() {
        return unknown("ended with the gateway that had started it");
    }

    /// A process that the gateway has ended is no failure of its server.
    private CallFailure endedByGateway() {
        return unknown("was ended by the gateway, for a restart, a change of its configuration or its idle limit");
    }

    /// @param end what happened to the process
    private CallFailure unknown(String end) {
        return new CallFailure(
                ErrorId.OUTCOME_UNKNOWN,
                FailureCategory.STDIO_EXIT,
                Delivery.UNKNOWN,
                "the process of " + server + " that worked on the task " + end
                        + "; the task may have been finished: check before you repeat the call",
                Evidence.NONE);
    }

    /// A task whose process is gone: it has failed.
    private Outcome failedAnswer(TaskId id, Call call, CallFailure failure) {
        Message.Request request = call.request();
        JsonView shown = request.frame().path("params", "taskId");
        if (!request.method().equals("tasks/get") || shown == null) {
            return acknowledged(call);
        }
        JsonWriter result = new JsonWriter().beginObject().name("resultType").string("complete");
        failedTask(id, failure).writeTo(result, shown);
        byte[] frame = JsonRpcFrames.result(request.id(), result.endObject().toString());
        return new Outcome.Answered(Message.Answer.of(frame).asOurs());
    }

    private FailedTask failedTask(TaskId id, CallFailure failure) {
        return new FailedTask(id, server, failure, platform.wallClock().instant());
    }

    // ---- Notifications

    /// Whether the final state of a task is known.
    public boolean isOver(TaskId id) {
        ServerTask known = table.find(id);
        return known != null && known.isOver();
    }

    /// The notification that a task whose process is gone has failed; null if its process is not gone, or the task had
    /// ended before.
    ///
    /// @param shown the id that the client knows
    public Message.@Nullable Notification failureNotification(TaskId id, String shown) {
        ServerTask known = table.find(id);
        CallFailure failure = isOfAnotherRun(id) ? ofAnotherRun() : null;
        if (known != null) {
            noteEnd(known);
            failure = known.loss();
        }
        return failure == null
                ? null
                : Message.Notification.of(JsonRpcFrames.notification(
                        "notifications/tasks",
                        failedTask(id, failure)
                                .writeTo(new JsonWriter().beginObject(), JsonView.of(JsonWriter.quoted(shown)))
                                .endObject()
                                .toString()));
    }

    /// The server's notification about a task for the client, under the id that the client knows.
    public Message.Notification onNotification(TaskId id, String shown, Message.Notification notification) {
        ServerTask known = table.find(id);
        JsonView state = notification.params();
        Splice splice = Splice.of(notification.frame());
        if (state != null) {
            writeClientId(state, shown, splice);
            if (known != null) {
                known.onNotification(state);
            }
        }
        return Message.Notification.of(splice.bytes());
    }

    /// Notes that a client has subscribed to a task. Its process is kept until [#subscriberRemoved].
    public void subscriberAdded(TaskId id) {
        changeSubscribers(id, 1);
    }

    /// Notes that a subscription to a task has ended.
    public void subscriberRemoved(TaskId id) {
        changeSubscribers(id, -1);
    }

    private void changeSubscribers(TaskId id, int by) {
        ServerTask known = table.find(id);
        if (known != null) {
            known.changeSubscribers(by);
        }
    }

    /// The call to the process that works on the task.
    public Call onTaskConnection(TaskId id, Call call) {
        Connection connection = connection(id);
        return connection == null ? call : call.with(new TaskCaller(call.caller(), connection));
    }

    /// The connection to the process that works on the task; null if the task has none of its own.
    public @Nullable Connection connection(TaskId id) {
        ServerTask known = table.find(id);
        return known == null ? null : known.connection();
    }

    /// Lets all processes go: they end as soon as their calls have. The tasks are failed then.
    public void release() {
        table.releaseAll();
    }
}
