package dev.fusebox.gateway.task;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The call of a tool that a legacy server executes only as a task (revision 2025-11-25, section "Tasks"): the
/// gateway asks for the task, and waits for its result. A call that is cancelled, or takes too long, cancels its task.
/// Immutable; [#result] blocks at most until the deadline of the call.
///
/// @param call as the client made it
/// @param send makes a call to the server
public record LegacyTask(Platform platform, Call call, Endpoint send) {
    /// Whether a tool is executed as a task only.
    public static boolean isRequired(@Nullable CatalogEntry tool) {
        JsonView support = tool == null ? null : tool.definition().path("execution", "taskSupport");
        return support != null && "required".equals(support.string());
    }

    /// The result of the call.
    public Outcome result() {
        TaskCaller caller = new TaskCaller(call.caller());
        Outcome outcome = send.call(asTask().with(caller));
        String id = outcome instanceof Outcome.Answered(Message.Answer answer) ? id(answer) : null;
        if (id == null) {
            return outcome;
        }
        Outcome result = send.call(about("tasks/result", id, caller.connection()));
        if (result instanceof Outcome.Failed && call.deadline().left() <= 0) {
            Call cancellation = about("tasks/cancel", id, caller.connection())
                    .with(new TaskCaller(Caller.SILENT, caller.connection()));
            TaskCancellation.begin(platform, cancellation, send, () -> {});
        }
        // The tool has been called, whatever became of the requests about its task.
        return result instanceof Outcome.Failed(CallFailure failure)
                ? new Outcome.Failed(failure.withDelivery(Delivery.UNKNOWN))
                : result;
    }

    /// The server keeps the task as long as the client waits at most.
    private Call asTask() {
        long left = Math.max(1, Duration.ofNanos(call.deadline().left()).toMillis());
        Call settled = call.settled().of(ofGateway());
        JsonView params = settled.request().params();
        return params == null ? settled : settled.edited(Splice.Edit.insert(params, "\"task\":{\"ttl\":" + left + "}"));
    }

    /// On the connection that all clients of the process share: the result has to come from there, in the form for the
    /// client.
    private ClientMetadata ofGateway() {
        return ClientMetadata.OF_GATEWAY.as(call.client()).inEraOf(call.client());
    }

    private static @Nullable String id(Message.Answer answer) {
        JsonView id = answer.frame().path("result", "task", "taskId");
        return id == null ? null : id.string();
    }

    private Call about(String method, String id, @Nullable Connection connection) {
        byte[] frame = JsonRpcFrames.request(call.request().id(), method, "{\"taskId\":" + JsonWriter.quoted(id) + "}");
        return new Call(
                Message.Request.of(frame), ofGateway(), call.deadline(), new TaskCaller(call.caller(), connection));
    }
}
