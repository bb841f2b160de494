package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.Attempt;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.PipelineEntry;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// How calls get to the only server that there is: through its lane if it has one. Nothing is known of its tools
/// here. Thread-safe; [#call] blocks for as long as the caller has patience.
final class PassThrough {
    /// What may be answered without asking the server, and shaking hands, which proves little.
    private static final Set<String> LOOKING =
            Set.of("initialize", "server/discover", "logging/setLevel", "resources/subscribe", "resources/unsubscribe");

    /// What only reads, by the protocol.
    private static final Set<String> READING = Set.of(
            "tools/list",
            "prompts/list",
            "prompts/get",
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "completion/complete");

    private final @Nullable PipelineEntry pipelineEntry;
    private final Function<String, RetrySafety> retrySafeties;

    /// @param liveness of the connection that these calls are made on
    PassThrough(SingleServer server, Liveness liveness) {
        CallPipeline pipeline = server.pipeline();
        this.pipelineEntry = pipeline == null ? null : pipeline.over(liveness);
        this.retrySafeties = server.retrySafeties();
    }

    Outcome call(Call call, Attempt attempt) {
        PipelineEntry through = pipelineEntry;
        if (through == null) {
            return attempt.make(call);
        }
        if (!call.request().method().equals("subscriptions/listen")) {
            return through.call(new PipelineCall(call, kind(call.request()), this, attempt));
        }
        // A subscription would keep its place in the lane as long as it lasts; but nobody connects to a server
        // that is down.
        CallFailure refusal = through.refusal();
        return refusal == null ? attempt.make(call) : new Outcome.Failed(refusal);
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
