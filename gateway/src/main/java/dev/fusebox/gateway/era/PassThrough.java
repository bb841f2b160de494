package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.client.resilience.TimeoutArbiter;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The path of calls in single-server mode: through the call pipeline if there is one. The gateway does not
/// read the tool list in this mode. Thread-safe; [#call] blocks at most until the deadline of the call.
final class PassThrough {
    /// Methods that may be answered without asking the server, and the handshake, which proves little.
    private static final Set<String> LOOKING =
            Set.of("initialize", "server/discover", "logging/setLevel", "resources/subscribe", "resources/unsubscribe");

    /// Methods that only read, according to the protocol.
    private static final Set<String> READING = Set.of(
            "tools/list",
            "prompts/list",
            "prompts/get",
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "completion/complete");

    private final @Nullable CallPipeline pipeline;
    private final @Nullable TimeoutArbiter arbiter;
    private final Function<String, RetrySafety> retrySafeties;

    /// @param liveness of the connection that these calls use
    PassThrough(SingleServer server, Liveness liveness) {
        this.pipeline = server.pipeline();
        this.arbiter = pipeline == null ? null : pipeline.arbiter(liveness);
        this.retrySafeties = server.retrySafeties();
    }

    Outcome call(Call call, Endpoint endpoint) {
        if (pipeline == null || arbiter == null) {
            return endpoint.call(call);
        }
        if (!call.request().method().equals("subscriptions/listen")) {
            return pipeline.call(new PipelineCall(call, kind(call.request()), this, endpoint), arbiter);
        }
        // Not through the pipeline: a subscription would hold its permit as long as it lasts. It is refused
        // while the server counts as down.
        CallFailure refusal = pipeline.refusal();
        return refusal == null ? endpoint.call(call) : new Outcome.Failed(refusal);
    }

    private PipelineCall.Kind kind(Message.Request request) {
        String method = request.method();
        if (LOOKING.contains(method)) {
            return PipelineCall.Kind.LOOKING;
        }
        JsonView params = request.params();
        String tool = params == null || !method.equals("tools/call") ? null : params.string("name");
        return new PipelineCall.Kind(
                null, READING.contains(method), tool == null ? RetrySafety.SAFE : retrySafeties.apply(tool));
    }
}
