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
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The tasks that one server has begun for clients (extension `io.modelcontextprotocol/tasks`). Clients get ids that
/// name the server; its poll interval is kept towards it, however often clients poll; and a task whose process has
/// ended is failed. Thread-safe; [#begun], [#resumed] and [#request] block, at most until the deadline of the call.
public final class ServerTasks {
    /// Of more, those are forgotten first that hold no process and were used least recently. Forgotten tasks can still
    /// be polled.
    private static final int MAX_TASKS = 4_000;

    /// The last states of all tasks may have so many characters together. Those go first that have been polled least
    /// recently; their tasks can still be polled.
    private static final long MAX_STATES = 4 << 20;

    /// A process is not kept longer for a task that no client asks for.
    private static final Duration IDLE_LIMIT = Duration.ofMinutes(30);

    /// How long an id is valid. When a task expires is for the server to say.
    private static final Duration LIFE = Duration.ofDays(365);

    private final Platform platform;
    private final String server;
    private final TaskIds ids;

    /// By process and own id, the least recently used first.
    private final Map<String, ServerTask> tasks = new LinkedHashMap<>(16, 0.75f, true);

    /// The length of their last states.
    private final AtomicLong memory = new AtomicLong();

    /// @param server the name that clients know
    public ServerTasks(Platform platform, String server, TaskIds ids) {
        this.platform = platform;
        this.server = server;
        this.ids = ids;
    }

    /// Whether a client has announced that it knows tasks. A session cannot: its era has other ones.
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
            limitMemory();
            return new Outcome.Answered(under(task, call, answer));
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
        ServerTask known = find(id);
        if (known == null && isOfAnotherRun(id)) {
            return new Outcome.Failed(ofAnotherRun());
        }
        ServerTask task = known == null ? track(id, null) : known;
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
        ServerTask task = new ServerTask(platform, connection, memory);
        synchronized (tasks) {
            if (tasks.size() >= MAX_TASKS) {
                forgetOne();
            }
            if (tasks.size() < MAX_TASKS) {
                task.remembered(true);
                ServerTask other = tasks.put(key(id), task);
                if (other != null) {
                    other.remembered(false);
                }
            }
        }
        if (task.hold()) {
            watch(task, IDLE_LIMIT);
        }
        noteEnd(task);
        return task;
    }

    /// Forgets a task that has ended, or whose process is not known: the one that was polled least recently.
    private void forgetOne() {
        Iterator<ServerTask> eldest = tasks.values().iterator();
        while (eldest.hasNext()) {
            ServerTask next = eldest.next();
            if (next.isReleased()) {
                eldest.remove();
                next.remembered(false);
                return;
            }
        }
    }

    private void limitMemory() {
        if (memory.get() <= MAX_STATES) {
            return;
        }
        synchronized (tasks) {
            for (ServerTask eldest : tasks.values()) {
                eldest.dropState();
                if (memory.get() <= MAX_STATES) {
                    return;
                }
            }
        }
    }

    /// A connection that ends is marked before its tasks are looked for: a task may have been added in between.
    private void noteEnd(ServerTask task) {
        Connection connection = task.connection();
        if (connection != null && !connection.isAlive()) {
            task.lost(ended());
        }
    }

    private void watch(ServerTask task, Duration time) {
        task.watchedBy(platform.timers().schedule(time, () -> {
            Duration left = task.keptFor(IDLE_LIMIT);
            if (left.isPositive()) {
                watch(task, left);
            } else {
                task.release();
            }
        }));
    }

    /// With the time, because a process or another account of a remote server may use an id again.
    private static String key(TaskId id) {
        return id.process() + "\n" + id.createdAt() + "\n" + id.own();
    }

    private @Nullable ServerTask find(TaskId id) {
        synchronized (tasks) {
            return tasks.get(key(id));
        }
    }

    /// The answer with the client's id of the task in place of the server's.
    private Message.Answer under(TaskId id, Call call, Message.Answer answer) {
        Splice splice = Splice.of(answer.frame());
        JsonView state = answer.result();
        if (state != null) {
            show(state, ids.sign(id, call.client().principal()), splice);
        }
        return Message.Answer.of(splice.bytes());
    }

    /// Replaces the server's id by that which the client knows, and removes the server's reserved keys.
    private static void show(JsonView state, String shown, Splice splice) {
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
        ServerTask known = find(id);
        if (known == null && isOfAnotherRun(id)) {
            return failedAnswer(id, call, ofAnotherRun());
        }
        ServerTask task = known == null ? track(id, null) : known;
        noteEnd(task);
        CallFailure loss = task.loss();
        if (loss != null) {
            return failedAnswer(id, call, loss);
        }
        Outcome outcome =
                call.request().method().equals("tasks/get") ? poll(task, id, call, send) : change(task, id, call, send);
        boolean hasResult = outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null;
        CallFailure since = hasResult ? null : task.loss();
        return since == null ? outcome : failedAnswer(id, call, since);
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
                : asked(task, (ServerTask.Poll.Request) poll, () -> send.call(own(task, id, call)));
        return outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null
                ? new Outcome.Answered(under(id, call, answer))
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
            limitMemory();
        }
    }

    private CallFailure notPolled(Call call) {
        return call.deadline().isGivenUp()
                ? CallFailure.cancelled()
                : CallFailure.timeout(server + " did not tell the state of the task in time");
    }

    private Outcome change(ServerTask task, TaskId id, Call call, Endpoint send) {
        Outcome outcome = send.call(own(task, id, call));
        task.changed();
        boolean isCancelled = call.request().method().equals("tasks/cancel");
        if (isCancelled && outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null) {
            task.release();
        }
        return outcome;
    }

    /// The call with the server's own id, to the process that works on the task.
    private static Call own(ServerTask task, TaskId id, Call call) {
        JsonView shown = call.request().frame().path("params", "taskId");
        Call edited = shown == null ? call : call.edited(Splice.Edit.replace(shown, JsonWriter.quoted(id.own())));
        Connection connection = task.connection();
        return connection == null ? edited : edited.with(new TaskCaller(call.caller(), connection));
    }

    // ---- Losses

    /// Notes the end of a connection.
    public void connectionLost(Connection connection, CallFailure failure) {
        // A process that the gateway has ended is no failure of its server.
        CallFailure cause = failure.category() == FailureCategory.LOCAL ? ended() : failure;
        List<ServerTask> all;
        synchronized (tasks) {
            all = List.copyOf(tasks.values());
        }
        all.stream().filter(task -> connection.equals(task.connection())).forEach(task -> task.lost(cause));
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
                "the process of " + server + " that worked on the task has ended; the task may have been finished",
                Evidence.NONE);
    }

    private CallFailure ofAnotherRun() {
        return new CallFailure(
                ErrorId.OUTCOME_UNKNOWN,
                FailureCategory.STDIO_EXIT,
                Delivery.UNKNOWN,
                "the process of " + server + " that worked on the task ended with the gateway that had started it;"
                        + " the task may have been finished",
                Evidence.NONE);
    }

    /// A task whose process is gone: it has failed, and a change of it has no effect.
    private Outcome failedAnswer(TaskId id, Call call, CallFailure failure) {
        Message.Request request = call.request();
        JsonView shown = request.frame().path("params", "taskId");
        JsonWriter result = new JsonWriter().beginObject().name("resultType").string("complete");
        if (request.method().equals("tasks/get") && shown != null) {
            failedTask(id, failure).writeTo(result, shown);
        }
        byte[] frame = JsonRpcFrames.result(request.id(), result.endObject().toString());
        return new Outcome.Answered(Message.Answer.of(frame).asOurs());
    }

    private FailedTask failedTask(TaskId id, CallFailure failure) {
        return new FailedTask(id, server, failure, platform.wallClock().instant());
    }

    // ---- Notifications

    /// The notification that a task whose process is gone has failed; null if its process is not gone.
    ///
    /// @param shown the id that the client knows
    public Message.@Nullable Notification failureNotification(TaskId id, String shown) {
        ServerTask known = find(id);
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
        ServerTask known = find(id);
        JsonView state = notification.params();
        Splice splice = Splice.of(notification.frame());
        if (state != null) {
            show(state, shown, splice);
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
        ServerTask known = find(id);
        if (known != null) {
            known.changeSubscribers(by);
        }
    }

    /// The call to the process that works on the task.
    public Call onItsConnection(TaskId id, Call call) {
        Connection connection = connection(id);
        return connection == null ? call : call.with(new TaskCaller(call.caller(), connection));
    }

    /// The connection to the process that works on the task; null if the task has none of its own.
    public @Nullable Connection connection(TaskId id) {
        ServerTask known = find(id);
        return known == null ? null : known.connection();
    }

    /// Lets all processes go: they end as soon as their calls have. The tasks are failed then.
    public void release() {
        List<ServerTask> all;
        synchronized (tasks) {
            all = List.copyOf(tasks.values());
        }
        all.forEach(ServerTask::release);
    }
}
