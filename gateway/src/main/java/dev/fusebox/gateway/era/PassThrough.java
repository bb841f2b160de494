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
import dev.fusebox.gateway.result.ResultLimiter;
import dev.fusebox.gateway.result.ResultSource;
import dev.fusebox.gateway.result.TaskResult;
import dev.fusebox.gateway.session.ResultFormat;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
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
    private final String server;
    private final SingleServer.@Nullable ResultLimit resultLimit;
    private final Supplier<ResultFormat> form;

    /// @param liveness of the connection that these calls use
    /// @param form what the client understands
    PassThrough(SingleServer server, Liveness liveness, Supplier<ResultFormat> form) {
        this.server = server.settings().server();
        this.resultLimit = server.resultLimit();
        this.form = form;
        this.pipeline = server.pipeline();
        this.arbiter = pipeline == null ? null : pipeline.arbiter(liveness);
        this.retrySafeties = server.retrySafeties();
    }

    Outcome call(Call call, Endpoint endpoint) {
        SingleServer.ResultLimit limit = resultLimit;
        return limit == null ? made(call, endpoint) : limited(call, endpoint, limit);
    }

    /// What was cut off before is read from the gateway.
    private Outcome limited(Call call, Endpoint endpoint, SingleServer.ResultLimit limit) {
        JsonView address = call.request().frame().path("params", "uri");
        boolean isReading = call.request().method().equals("resources/read");
        String uri = address == null || !isReading ? null : address.string();
        if (uri != null && ResultLimiter.isAddress(uri)) {
            call.slot().release();
            return limit.limiter().read(call, uri, form.get());
        }
        Outcome outcome = made(call, endpoint);
        if (limit.limiter().isWithin(outcome, limit.maxBytes())) {
            return outcome;
        }
        ResultSource source =
                new ResultSource(server, limit.maxBytes(), call.client().principal(), form.get(), false);
        return call.request().method().equals("tasks/get")
                ? TaskResult.limitedResponse(
                        outcome, server, result -> limit.limiter().limit(result, source))
                : limit.limiter().limit(outcome, source);
    }

    private Outcome made(Call call, Endpoint endpoint) {
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
