package dev.fusebox.gateway.routing;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.catalog.AnnouncedExtensions;
import dev.fusebox.gateway.result.TaskResult;
import dev.fusebox.gateway.task.ServerTasks;
import dev.fusebox.gateway.task.TaskId;
import dev.fusebox.gateway.upstream.RequestOrigin;
import dev.fusebox.gateway.upstream.TaskWatch;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The requests of clients about tasks: each goes to the server that the id of the task names. Thread-safe; calls
/// block at most until their deadline.
final class TaskRequests {
    /// The error data for a client that has not announced the extension (the extension's section "Protocol Errors").
    private static final String REQUIRED =
            "{\"requiredCapabilities\":{\"extensions\":{\"" + AnnouncedExtensions.TASKS + "\":{}}}}";

    private final UpstreamServers servers;
    private final ToolDispatcher dispatcher;

    TaskRequests(UpstreamServers servers, ToolDispatcher dispatcher) {
        this.servers = servers;
        this.dispatcher = dispatcher;
    }

    Outcome make(Call call, RequestOrigin from) {
        Outcome refusal = refusal(call);
        if (refusal != null) {
            return refusal;
        }
        JsonView shown = call.request().frame().path("params", "taskId");
        String signedId = shown == null ? null : shown.string();
        if (signedId == null) {
            return refused(call, JsonRpcErrorCode.INVALID_PARAMS, "params.taskId is missing", null);
        }
        TaskId id = servers.taskIds().verify(signedId, call.client().principal());
        UpstreamServer server = id == null ? null : servers.server(id.server());
        return id == null || server == null
                ? refused(call, JsonRpcErrorCode.INVALID_PARAMS, unknown(id), null)
                : named(
                        server,
                        TaskResult.limitedResponse(
                                server.calls().makeTaskRequest(call, id, from),
                                server.id(),
                                dispatcher.taskResultRules(server, call.client())));
    }

    private static Outcome named(UpstreamServer server, Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                ? new Outcome.Failed(failure.at(server.id(), null, List.of()))
                : outcome;
    }

    /// Watches tasks for a client; those that are not its own are left out.
    ///
    /// @param listener receives the notifications; must not block
    List<TaskWatch> watch(ClientMetadata client, Set<String> tasks, Consumer<Message.Notification> listener) {
        Map<UpstreamServer, Map<String, TaskId>> byServer = new LinkedHashMap<>();
        for (String shown : tasks) {
            TaskId id = servers.taskIds().verify(shown, client.principal());
            UpstreamServer server = id == null ? null : servers.server(id.server());
            if (id != null && server != null) {
                byServer.computeIfAbsent(server, first -> new LinkedHashMap<>()).put(shown, id);
            }
        }
        List<TaskWatch> watches = new ArrayList<>();
        byServer.forEach((server, ids) -> {
            UnaryOperator<Outcome> rules = dispatcher.taskResultRules(server, client);
            watches.addAll(server.subscriptions()
                    .watchTasks(
                            client,
                            ids,
                            told -> listener.accept(TaskResult.limitedNotification(told, server.id(), rules))));
        });
        return watches;
    }

    private static String unknown(@Nullable TaskId id) {
        return id == null
                ? "unknown task: the id was not issued to this client, or has expired"
                : "unknown task: server " + id.server() + " is no longer configured";
    }

    /// Null if the client may use tasks.
    static @Nullable Outcome refusal(Call call) {
        if (ServerTasks.areKnownTo(call.client())) {
            return null;
        }
        return call.client().isLegacy()
                ? refused(call, JsonRpcErrorCode.METHOD_NOT_FOUND, "unknown method", null)
                : refused(
                        call,
                        JsonRpcErrorCode.MISSING_CLIENT_CAPABILITY,
                        "the client has not announced the extension " + AnnouncedExtensions.TASKS,
                        REQUIRED);
    }

    private static Outcome refused(Call call, int code, String why, @Nullable String data) {
        call.slot().release();
        return new Outcome.Answered(
                Message.Answer.of(JsonRpcFrames.error(call.request().id(), code, why, data)));
    }
}
